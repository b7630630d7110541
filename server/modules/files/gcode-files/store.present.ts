import type {
  GCodeFolder,
  GCodeFolderBase,
  StoredFile,
  StoredFileBase,
} from '@vigil/contract/files/gcode-files.ts'
import type { GCodeFile } from '@vigil/contract/prints/prints.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { notFound } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import { presentFile } from '../../prints/prints/index.ts'
import type { FolderRow } from '../folders/folders.queries.ts'
import type { FileRow } from '../records/records.queries.ts'

export const presentFolderBase = (folder: FolderRow): GCodeFolderBase => ({
  id: folder.id,
  name: folder.name,
  safe_name: folder.safeName,
  parent_folder: folder.parentFolderId,
  g_code_folder_count: Number(folder.folders),
  g_code_file_count: Number(folder.files),
  created_at: folder.createdAt.toISOString(),
  updated_at: folder.updatedAt.toISOString(),
})

export function presentFolder(folder: FolderRow, parents: ReadonlyMap<number, FolderRow>): GCodeFolder {
  const parent = parents.get(folder.parentFolderId ?? -1)
  return { ...presentFolderBase(folder), parent_folder: parent ? presentFolderBase(parent) : null }
}

/** A file that names its folder, where there is one. */
export function inFolder(file: GCodeFile, parents: ReadonlyMap<number, FolderRow>): StoredFile {
  const parent = parents.get(file.parent_folder ?? -1)
  return { ...file, parent_folder: parent ? presentFolderBase(parent) : null }
}

export function presentStored(ctx: Ctx, file: FileRow, edge: Edge): StoredFileBase {
  const { user: _, ...rest } = presentFile(ctx, file, edge)
  return rest
}

/** 404 for a page that is not there. */
export const noPage = () => notFound(text('gcode-files-server', 'invalidPage'))

/** A page of a list with the addresses of those beside it; `url` is what was asked for. */
export function pageAt<T>(
  { origin, prefix }: Edge,
  url: string,
  { page, page_size: size }: { readonly page: number; readonly page_size: number },
  { results, count }: { readonly results: T[]; readonly count: number },
) {
  const at = (other: number) => {
    const address = new URL(url, origin)
    address.searchParams.set('page', String(other))
    return `${origin}${prefix}${address.pathname}${address.search}`
  }
  return {
    count,
    next: page * size < count ? at(page + 1) : null,
    previous: page > 1 ? at(page - 1) : null,
    results,
  }
}
