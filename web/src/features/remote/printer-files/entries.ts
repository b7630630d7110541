import type { PrinterEntry } from '../../../printer/driver/driver.ts'

export const SORTINGS = ['name', 'size', 'created_at'] as const
export const DIRECTIONS = ['desc', 'asc'] as const
export interface Order {
  by: (typeof SORTINGS)[number]
  direction: (typeof DIRECTIONS)[number]
}

const value = {
  size: ({ size }: PrinterEntry) => size ?? 0,
  created_at: ({ modifiedAt }: PrinterEntry) => modifiedAt ?? 0,
}

/** Folders first, then files; each by what was asked, and by name where that is the same. */
export function inOrder(entries: readonly PrinterEntry[], { by, direction }: Order): PrinterEntry[] {
  const way = direction === 'asc' ? 1 : -1
  const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  return entries.toSorted((a, b) => {
    if (a.kind !== b.kind) return a.kind === 'folder' ? -1 : 1
    const difference = by === 'name' ? 0 : value[by](a) - value[by](b)
    return way * (difference || names.compare(a.name, b.name))
  })
}

export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
