import type { Printer } from '@vigil/contract/printers/printers.ts'
import { isActive, isOffline, needsOwner } from '../../../../printer/state.ts'
import { readStatus } from '../../../../printer/status.ts'
import { transitionNow } from '../../../../printer/transition-store.ts'

export const FILTERS = ['all', 'online', 'active'] as const
export const SORTINGS = ['created_at', 'name'] as const
export const VIEWS = ['cards', 'grid'] as const
export type View = (typeof VIEWS)[number]
export type Filter = (typeof FILTERS)[number]
export type Sorting = (typeof SORTINGS)[number]
export type Direction = 'asc' | 'desc'

/** What can be chosen, with the word for it. */
export const ORDERS = [
  { sorting: 'created_at', direction: 'desc', text: 'sort.newest' },
  { sorting: 'created_at', direction: 'asc', text: 'sort.oldest' },
  { sorting: 'name', direction: 'asc', text: 'sort.nameUp' },
  { sorting: 'name', direction: 'desc', text: 'sort.nameDown' },
] as const

function passes(printer: Printer, filter: Filter): boolean {
  if (filter === 'all') return true
  return filter === 'online' ? !isOffline(printer) : isActive(readStatus(printer), transitionNow(printer))
}

/** One for all: building a collator for each comparison costs more than sorting. */
const { compare: byName } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

function byAge(a: Printer, b: Printer): number {
  if (a.created_at === b.created_at) return a.id - b.id
  return a.created_at < b.created_at ? -1 : 1
}

/** What the list shows: filtered, then sorted, what needs the owner first. */
export function arrange(
  printers: Printer[],
  filter: Filter,
  sorting: Sorting,
  direction: Direction,
): Printer[] {
  const sign = direction === 'asc' ? 1 : -1
  const compare = (a: Printer, b: Printer) => (sorting === 'name' ? byName(a.name, b.name) : byAge(a, b))
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
