import {
  bulkDeleteGCodeFiles,
  bulkDeleteGCodeFolders,
  bulkMoveGCodeFiles,
  bulkMoveGCodeFolders,
  createGCodeFolder,
  getGCodeFile,
  getGCodeFolderPath,
  type GCodeFolder,
  listGCodeCopies,
  listGCodeFiles,
  listGCodeFolders,
  patchGCodeFile,
  patchGCodeFolder,
  type StoredFile,
} from '@vigil/contract/files/gcode-files.ts'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import type { ItemId } from './items.ts'

/** So many come with each scroll; what is read anew comes in larger pieces, of whole pages. */
const PAGE = 24
const PIECE = 40 * PAGE
const KEY = 'g-code'

/** What a list shows, and in which order; a folder of null is the root, and what is searched for is looked for in all. */
export interface Asked {
  folder: number | null
  q: string
  by: 'name' | 'size' | 'created_at'
  direction: 'asc' | 'desc'
}

/** Rows from the first on, and how many there are in all. */
interface Pile<T> {
  rows: T[]
  count: number
}

/** The folders, then the files of one folder. */
export interface Held {
  folders: Pile<GCodeFolder>
  files: Pile<StoredFile>
}

type Read<T> = (page: number, size: number) => Promise<{ results: T[]; count: number }>

export const isWholePile = ({ rows, count }: Pile<unknown>) => rows.length >= count
export const isWhole = ({ folders, files }: Held): boolean => isWholePile(folders) && isWholePile(files)

function readersOf({ folder, q, by, direction }: Asked) {
  const parent_folder = folder ?? 'null'
  const files: Read<StoredFile> = (page, page_size) =>
    call(listGCodeFiles, {
      query: {
        page,
        page_size,
        sorting: `${({ name: 'filename', size: 'num_bytes', created_at: 'created_at' } as const)[by]}_${direction}`,
        ...(q === '' ? { parent_folder } : { q }),
      },
    })
  const folders: Read<GCodeFolder> = async (page, page_size) => {
    if (q !== '') return { results: [], count: 0 }
    // Folders have no size of their own.
    const sorting =
      by === 'created_at' ? (`created_at_${direction}` as const) : (`name_${direction}` as const)
    return await call(listGCodeFolders, { query: { page, page_size, parent_folder, sorting } })
  }
  return { files, folders }
}

/** At least so many rows, as far as there are any. */
async function readPile<T>(read: Read<T>, wanted: number): Promise<Pile<T>> {
  const size = wanted <= PAGE ? PAGE : PIECE
  let pile: Pile<T> = { rows: [], count: Infinity }
  while (pile.rows.length < wanted && !isWholePile(pile)) {
    const { results, count } = await read(pile.rows.length / size + 1, size)
    pile = {
      rows: [...pile.rows, ...results],
      count: results.length < size ? pile.rows.length + results.length : count,
    }
  }
  return pile
}

async function readOn<T extends { id: number }>(read: Read<T>, { rows }: Pile<T>): Promise<Pile<T>> {
  const { results, count } = await read(Math.floor(rows.length / PAGE) + 1, PAGE)
  const known = new Set(rows.map(({ id }) => id))
  const more = results.filter(({ id }) => !known.has(id))
  // Nothing new on a whole page: what is held is read anew rather than asked for again and again.
  return { rows: [...rows, ...more], count: more.length === 0 ? rows.length : count }
}

/** The list from its beginning, as much of it as is held. */
export function listQuery(asked: Asked) {
  const queryKey = [KEY, 'list', asked] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ client }): Promise<Held> => {
      const held = client.getQueryData<Held>(queryKey)
      const { folders, files } = readersOf(asked)
      const wanted = (pile: Pile<unknown> | undefined) => Math.max(PAGE, pile?.rows.length ?? 0)
      const [first, second] = await Promise.all([
        readPile(folders, wanted(held?.folders)),
        readPile(files, wanted(held?.files)),
      ])
      return { folders: first, files: second }
    },
    // Whoever comes back sees the list at once, and where it was left.
    gcTime: 30 * 60_000,
    staleTime: 0,
    structuralSharing: false,
  })
}

/** Reads the next page onto what is held: folders until there are no more, then files. */
export async function readMore(client: QueryClient, asked: Asked): Promise<void> {
  const { queryKey } = listQuery(asked)
  const held = client.getQueryData<Held>(queryKey)
  if (!held || isWhole(held)) return
  const { folders, files } = readersOf(asked)
  const next: Held = isWholePile(held.folders)
    ? { ...held, files: await readOn(files, held.files) }
    : { ...held, folders: await readOn(folders, held.folders) }
  // It was read anew meanwhile: what follows that is another page.
  if (client.getQueryData<Held>(queryKey) === held) client.setQueryData(queryKey, next)
}

/** One file, also a deleted one. */
export const fileQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'file', id] as const,
    queryFn: () => call(getGCodeFile, { params: { id } }),
    staleTime: 0,
  })

/** The folders from the root to one, itself the last. */
export const folderPathQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'path', id] as const,
    queryFn: () => call(getGCodeFolderPath, { params: { id } }),
    staleTime: 0,
  })

/** Other files with the same content. */
export const copiesQuery = (id: number) =>
  queryOptions({
    queryKey: [KEY, 'copies', id] as const,
    queryFn: () => call(listGCodeCopies, { params: { id } }),
    staleTime: 0,
  })

/** Everything about files is read anew. */
export const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: [KEY] })

const idsOf = (items: readonly ItemId[], kind: ItemId['kind']) =>
  items.filter((item) => item.kind === kind).map(({ id }) => id)

/** Renames a file or a folder. */
export async function renameItem(client: QueryClient, { kind, id }: ItemId, name: string): Promise<void> {
  if (kind === 'folder') await call(patchGCodeFolder, { params: { id }, body: { name } })
  else await call(patchGCodeFile, { params: { id }, body: { filename: name } })
  await refresh(client)
}

/** Moves files and folders into a folder; null is the root. */
export async function moveItems(
  client: QueryClient,
  items: readonly ItemId[],
  parent_folder: number | null,
): Promise<void> {
  const [folder_ids, file_ids] = [idsOf(items, 'folder'), idsOf(items, 'file')]
  try {
    if (folder_ids.length > 0) await call(bulkMoveGCodeFolders, { body: { folder_ids, parent_folder } })
    if (file_ids.length > 0) await call(bulkMoveGCodeFiles, { body: { file_ids, parent_folder } })
  } finally {
    await refresh(client)
  }
}

/** Deletes files, and folders with all that lies in them. */
export async function removeItems(client: QueryClient, items: readonly ItemId[]): Promise<void> {
  const [folder_ids, file_ids] = [idsOf(items, 'folder'), idsOf(items, 'file')]
  try {
    if (folder_ids.length > 0) await call(bulkDeleteGCodeFolders, { body: { folder_ids } })
    if (file_ids.length > 0) await call(bulkDeleteGCodeFiles, { body: { file_ids } })
  } finally {
    await refresh(client)
  }
}

export async function addFolder(
  client: QueryClient,
  name: string,
  parent_folder: number | null,
): Promise<void> {
  await call(createGCodeFolder, { body: { name, parent_folder } })
  await refresh(client)
}
