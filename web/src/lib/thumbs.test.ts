import { expect, it } from 'vitest'
import { thumbOf, verdictOf } from './thumbs.ts'

const ALERTED = '2026-11-01T10:00:00Z'

it.each([
  ['up', ALERTED, 'FAILED'],
  ['down', ALERTED, 'NOT_FAILED'],
  ['up', null, 'NOT_FAILED'],
  ['down', null, 'FAILED'],
] as const)('a thumb %s at a print alerted at %s says %s, and is read back', (thumb, alerted_at, verdict) => {
  expect(verdictOf(thumb, { alerted_at })).toBe(verdict)
  expect(thumbOf({ alerted_at, alert_overwrite: verdict })).toBe(thumb)
  expect(thumbOf({ alerted_at, alert_overwrite: null })).toBeNull()
})
