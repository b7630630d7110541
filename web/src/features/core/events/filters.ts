import { type countPrinterEvents, eventClasses, eventTypesOf } from '@vigil/contract/core/events.ts'
import type { Reply } from '@vigil/contract/endpoint.ts'
import { useMemo, useSyncExternalStore } from 'react'
import { readStored, subscribeStored, writeStored } from '../../../lib/stored.ts'

export const FILTERS = {
  classes: eventClasses,
  types: ['ALERT', 'ENDED', 'STARTED', 'PAUSE_RESUME', 'FILAMENT_CHANGE', 'PRINTER_ERROR'],
} as const
export type FilterName = keyof typeof FILTERS
export type Word = (typeof FILTERS)[FilterName][number]

/** Which events are shown; an empty list is all of that kind. */
export type Filters = Readonly<Record<FilterName, readonly Word[]>>

const KEYS = {
  classes: 'printerEventsFiltering-classes',
  types: 'printerEventsFiltering-types',
} as const

/** Reads what was kept, in the order of the menu; whatever makes no sense counts as not chosen. */
export function wordsOf(name: FilterName, kept: string | null): Word[] {
  const chosen = new Set((kept ?? '').split(','))
  const words = FILTERS[name].filter((word) => chosen.has(word))
  return words.length === FILTERS[name].length ? [] : words
}

/** One word turned on or off; the last one off, and the last one on, are all of them. */
export function toggled(name: FilterName, chosen: readonly Word[], word: Word): Word[] {
  const next = chosen.includes(word) ? chosen.filter((each) => each !== word) : [...chosen, word]
  return wordsOf(name, next.join(','))
}

type Counts = Reply<typeof countPrinterEvents>

/** How many there would be of each word of a menu, as the other menu stands. */
export function countOf(counts: Counts, name: FilterName, word: Word | null, filters: Filters): number {
  const isMeant = ({ event_class, event_type }: Counts[number], by: FilterName, words: readonly string[]) =>
    words.length === 0 ||
    words.some((one) =>
      by === 'classes' ? event_class === one : (eventTypesOf[one] ?? [one]).includes(event_type),
    )
  const other = name === 'classes' ? 'types' : 'classes'
  return counts
    .filter((row) => isMeant(row, other, filters[other]) && isMeant(row, name, word === null ? [] : [word]))
    .reduce((sum, { count }) => sum + count, 0)
}

const keep = (name: FilterName, words: readonly Word[]) =>
  writeStored(KEYS[name], words.length > 0 ? words.join(',') : null)

/** The filters, kept in this browser. */
export function useFilters() {
  const classes = useSyncExternalStore(subscribeStored, () => readStored(KEYS.classes))
  const types = useSyncExternalStore(subscribeStored, () => readStored(KEYS.types))
  const filters = useMemo<Filters>(
    () => ({ classes: wordsOf('classes', classes), types: wordsOf('types', types) }),
    [classes, types],
  )
  return {
    filters,
    toggle: (name: FilterName, word: Word) => keep(name, toggled(name, filters[name], word)),
    all: (name: FilterName) => keep(name, []),
  }
}
