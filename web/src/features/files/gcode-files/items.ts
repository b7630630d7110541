import type { GCodeFolder, StoredFile } from '@vigil/contract/files/gcode-files.ts'

/** What can be chosen for an upload. */
export const ACCEPT = '.g,.gcode,.gco'

/** So long after the last key the question is asked. */
export const PENDING_MS = 1000

/** What a list holds: folders first, then files. */
export type Item = { readonly key: string; readonly id: number; readonly name: string } & (
  | { readonly kind: 'folder'; readonly folder: GCodeFolder }
  | { readonly kind: 'file'; readonly file: StoredFile }
)

export const folderItem = (folder: GCodeFolder): Item => ({
  kind: 'folder',
  key: `folder-${folder.id}`,
  id: folder.id,
  name: folder.name,
  folder,
})

export const itemOf = (file: StoredFile): Item => ({
  kind: 'file',
  key: `file-${file.id}`,
  id: file.id,
  name: file.filename,
  file,
})

export type ItemId = Pick<Item, 'kind' | 'id'>

/** What a line's key names. */
export function idOf(key: string): ItemId {
  const [kind, id] = key.split('-')
  return { kind: kind === 'folder' ? 'folder' : 'file', id: Number(id) }
}

const EXTENSION = /\.[^.]+$/

/** A file's name in two: what is edited, and the extension that stays. */
export function partsOf({ kind, name }: Pick<Item, 'kind' | 'name'>): { base: string; extension: string } {
  const [extension = ''] = (kind === 'file' && name.match(EXTENSION)) || []
  return { base: name.slice(0, name.length - extension.length), extension }
}
