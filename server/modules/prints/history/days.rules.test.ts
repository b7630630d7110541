import { describe, expect, test } from 'vitest'
import { spanOf } from './days.rules.ts'

describe('days in a time zone', () => {
  test.each([
    ['UTC', '2026-01-26', '2026-01-26', '2026-01-26T00:00:00Z', '2026-01-27T00:00:00Z'],
    ['America/New_York', '2026-01-26', '2026-01-27', '2026-01-26T05:00:00Z', '2026-01-28T05:00:00Z'],
    ['Asia/Kolkata', '2026-12-31', '2026-12-31', '2026-12-30T18:30:00Z', '2026-12-31T18:30:00Z'],
    ['Pacific/Kiritimati', '2026-06-01', '2026-06-01', '2026-05-31T10:00:00Z', '2026-06-01T10:00:00Z'],
    // Summer time begins (23 hours) and ends (25 hours) within the day.
    ['Europe/Berlin', '2026-03-29', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['America/New_York', '2026-11-01', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    // Midnight does not exist: the clocks went from 23:59:59 to 01:00.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
    // The clocks went back at midnight: the day before had its last hour twice.
    ['America/Sao_Paulo', '2018-02-17', '2018-02-17', '2018-02-17T02:00:00Z', '2018-02-18T03:00:00Z'],
    // Midnight happened twice: the first one counts.
    ['America/Havana', '2026-11-01', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    // A day that Samoa never had.
    ['Pacific/Apia', '2011-12-30', '2011-12-30', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z'],
  ])('%s, %s to %s', (timeZone, from, to, since, before) => {
    expect(spanOf({ from, to, timeZone })).toEqual({ since: new Date(since), before: new Date(before) })
  })

  test.each(['0001-01-01', '0099-12-31', '9999-12-31'])('%s is a day like any other', (day) => {
    const { since, before } = spanOf({ from: day, to: day, timeZone: 'America/Havana' })
    expect(before.getTime() - since.getTime()).toBe(86_400_000)
  })
})
