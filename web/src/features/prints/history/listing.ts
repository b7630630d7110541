import type { Print, PrintTotals } from '@vigil/contract/prints/prints.ts'
import { dayOf } from '../../../lib/periods.ts'

/** A print of the list and where it stands in the server's, which the page of a print goes by. */
export interface Entry {
  print: Print
  index: number
}

/** One thing below another: the heading of a month, or as many prints as stand side by side. */
export type Line = { month: string; key: string } | { entries: Entry[]; key: string }

/** Those that are over; what still prints keeps its place in the server's list. */
export function entriesOf(prints: readonly Print[]): Entry[] {
  return prints
    .map((print, index) => ({ print, index }))
    .filter(({ print }) => print.ended_at !== null || print.uploaded_at !== null)
}

/** When it began, as far as that is known. */
const beganAt = (print: Print) => print.started_at ?? print.uploaded_at ?? print.ended_at ?? ''

/** `2026-11`: the month in which it began, as this browser's clocks show it. */
export function monthOf(print: Print): string {
  const at = new Date(beganAt(print))
  return Number.isNaN(at.getTime()) ? '' : dayOf(at).slice(0, -3)
}

/** Prints under their months, `columns` side by side. */
export function linesOf(entries: readonly Entry[], columns: number): Line[] {
  const lines: Line[] = []
  let month: string | null = null
  let open: Entry[] = []
  for (const entry of entries) {
    const its = monthOf(entry.print)
    if (its !== month) {
      month = its
      open = []
      lines.push({ month: its, key: `${its} ${entry.print.id}` })
    }
    if (open.length === 0 || open.length === columns) {
      open = []
      lines.push({ entries: open, key: String(entry.print.id) })
    }
    open.push(entry)
  }
  return lines
}

/** How many of what there is a filter hides. */
export function hiddenBy(shown: PrintTotals | undefined, all: PrintTotals | undefined): number {
  return shown && all ? Math.max(0, all.count - shown.count) : 0
}
