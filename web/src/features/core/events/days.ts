import type { PrinterEvent } from '@vigil/contract/core/events.ts'
import { dayOf } from '../../../lib/periods.ts'

/** What is told in one line: an event, and when the print began whose end it is. */
export interface Story {
  event: PrinterEvent
  beganAt: string | null
}

/** A day on the reader's clocks, with what happened on it, newest first. */
export interface Day {
  day: string
  at: number
  stories: Story[]
}

/** The events by day. Where a print's end is held, its start stands in the same line and not in one of its own. */
export function daysOf(events: readonly PrinterEvent[]): Day[] {
  const ended = new Set(events.filter(isEnd).map(({ print }) => print))
  const starts = new Map(events.filter(isStart).map(({ print, created_at }) => [print, created_at]))
  const days: Day[] = []
  for (const event of events) {
    if (isStart(event) && ended.has(event.print)) continue
    const at = Date.parse(event.created_at)
    const day = dayOf(new Date(at))
    if (days.at(-1)?.day !== day) days.push({ day, at, stories: [] })
    days.at(-1)?.stories.push({ event, beganAt: (isEnd(event) && starts.get(event.print)) || null })
  }
  return days
}

const isStart = ({ event_type, print }: PrinterEvent) => event_type === 'STARTED' && print !== null
const isEnd = ({ event_type, print }: PrinterEvent) => event_type === 'ENDED' && print !== null
