import type { PrinterEvent } from '@vigil/contract/core/events.ts'
import { expect, test } from 'vitest'
import { daysOf } from './days.ts'

const event = (id: number, event_type: string, print: number | null, at: string): PrinterEvent => ({
  id,
  print,
  printer: 1,
  event_type,
  event_class: 'INFO',
  event_title: null,
  event_text: null,
  image_url: null,
  info_url: null,
  created_at: new Date(at).toISOString(),
})
const shown = (...events: PrinterEvent[]) =>
  daysOf(events).map(({ day, stories }) => [day, ...stories.map((one) => one.event.id)])

test('events stand under their days, and a print that is over in one line with its start', () => {
  const end = event(4, 'ENDED', 7, '2026-11-24T02:00:00')
  const start = event(2, 'STARTED', 7, '2026-11-23T22:00:00')
  const alert = event(3, 'FAILURE_ALERTED', 7, '2026-11-23T23:00:00')
  expect(shown(end, alert, start)).toEqual([
    ['2026-11-24', 4],
    ['2026-11-23', 3],
  ])
  expect(daysOf([end, alert, start])[0]?.stories[0]?.beganAt).toBe(start.created_at)
})

test('a start whose end is not there stands alone, and an end whose start is not', () => {
  const start = event(5, 'STARTED', 8, '2026-11-24T03:00:00')
  const end = event(4, 'ENDED', 7, '2026-11-24T02:00:00')
  expect(shown(start, end)).toEqual([['2026-11-24', 5, 4]])
  expect(daysOf([start, end])[0]?.stories.map(({ beganAt }) => beganAt)).toEqual([null, null])
})

test('what belongs to no print is folded into nothing', () => {
  const [first, second] = [
    event(2, 'ENDED', null, '2026-11-24T02:00:00'),
    event(1, 'STARTED', null, '2026-11-24T01:00:00'),
  ]
  expect(shown(first, second)).toEqual([['2026-11-24', 2, 1]])
})
