import type { Printer } from '@vigil/contract/printers/printers.ts'
import { awayOf, isActive, isOffline, isWaiting, needsOwner } from '../../../../printer/state.ts'
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

/** Nothing is known of it but its name and when it was last heard: a line tells that, a card would be a black box. */
export const isLine = (printer: Printer): boolean =>
  isOffline(printer) && !printer.current_print && !isWaiting(printer) && !awayOf(printer)

/** What is looked for first: who needs the owner, who prints, who could, who is away. */
function rank(printer: Printer): number {
  if (needsOwner(printer)) return 0
  if (printer.current_print) return 1
  return isOffline(printer) ? 3 : 2
}

/** What the list shows: filtered, then by rank, and sorted within it. */
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
    .toSorted((a, b) => rank(a) - rank(b) || sign * compare(a, b))
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
