import type { Printer } from '@vigil/contract/printers.ts'
import { isActive, isOffline, needsOwner } from '../state.ts'
import { readStatus } from '../status.ts'

export const FILTERS = ['all', 'online', 'active'] as const
export const SORTINGS = ['created_at', 'name'] as const
export type Filter = (typeof FILTERS)[number]
export type Sorting = (typeof SORTINGS)[number]
export type Direction = 'asc' | 'desc'

function passes(printer: Printer, filter: Filter): boolean {
  if (filter === 'all') return true
  return filter === 'online' ? !isOffline(printer) : isActive(readStatus(printer), null)
}

/** What the list shows: filtered, then sorted, what needs the owner first. */
export function arrange(
  printers: Printer[],
  filter: Filter,
  sorting: Sorting,
  direction: Direction,
): Printer[] {
  const sign = direction === 'asc' ? 1 : -1
  const compare = (a: Printer, b: Printer) =>
    sorting === 'name'
      ? a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: 'base' })
      : a.created_at.localeCompare(b.created_at) || a.id - b.id
  return printers
    .filter((printer) => !printer.archived_at && passes(printer, filter))
    .toSorted((a, b) => Number(needsOwner(b)) - Number(needsOwner(a)) || sign * compare(a, b))
}

/** The line beside the title. */
export function count(printers: Printer[]): {
  all: number
  printing: number
  needing: number
  archived: number
} {
  const here = printers.filter((printer) => !printer.archived_at)
  return {
    all: here.length,
    printing: here.filter((printer) => readStatus(printer)?.printing).length,
    needing: here.filter(needsOwner).length,
    archived: printers.length - here.length,
  }
}
