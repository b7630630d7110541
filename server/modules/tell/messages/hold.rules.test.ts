import { describe, expect, it } from 'vitest'
import { holdOf, type TellingRules } from './hold.rules.ts'

const at = (time: string) => Date.parse(time)
const told = (kind: Parameters<typeof holdOf>[0], rules: TellingRules, now: string) => {
  const hold = holdOf(kind, rules, at(now))
  return hold && `${hold.why} ${new Date(hold.until).toISOString().slice(0, 16)}Z`
}
const BERLIN = {
  timeZone: 'Europe/Berlin',
  quiet: { from: 22 * 60, until: 7 * 60, sparesAlerts: true },
  digest: 'off',
  digestAt: 18 * 60,
} as const satisfies TellingRules

describe('quiet hours', () => {
  it.each([
    ['before them', 'PrintDone', '2026-11-22T20:59Z', null],
    ['from their first minute', 'PrintDone', '2026-11-22T21:00Z', 'quiet 2026-11-23T06:00Z'],
    ['after midnight', 'FilamentChange', '2026-11-23T01:00Z', 'quiet 2026-11-23T06:00Z'],
    ['to their last', 'PrintDone', '2026-11-23T05:59Z', 'quiet 2026-11-23T06:00Z'],
    ['after them', 'PrintDone', '2026-11-23T06:00Z', null],
    ['an alert', 'PrintFailure', '2026-11-23T01:00Z', null],
    ['in the night that is an hour short', 'PrintDone', '2026-03-28T23:00Z', 'quiet 2026-03-29T05:00Z'],
    ['in the night that is an hour long', 'PrintDone', '2026-10-24T22:00Z', 'quiet 2026-10-25T06:00Z'],
  ] as const)('%s: %s at %s', (_, kind, now, expected) => expect(told(kind, BERLIN, now)).toBe(expected))

  it('hold alerts back for who wants it so', () => {
    const all = { ...BERLIN, quiet: { ...BERLIN.quiet, sparesAlerts: false } }
    expect(told('PrintFailure', all, '2026-11-23T01:00Z')).toBe('quiet 2026-11-23T06:00Z')
  })

  it('that end while the clocks are set back end twice, and hold nothing for a day', () => {
    const short = { ...BERLIN, quiet: { from: 0, until: 150, sparesAlerts: true } }
    // 02:30 comes at 00:30Z and, after the clocks were set back at 01:00Z, again at 01:30Z.
    expect(told('PrintDone', short, '2026-10-25T00:10Z')).toBe('quiet 2026-10-25T00:30Z')
    expect(told('PrintDone', short, '2026-10-25T00:45Z')).toBeNull()
    expect(told('PrintDone', short, '2026-10-25T01:10Z')).toBe('quiet 2026-10-25T01:30Z')
    expect(told('PrintDone', short, '2026-10-25T01:30Z')).toBeNull()
  })

  it('that end where the clocks skip do end', () => {
    const short = { ...BERLIN, quiet: { from: 0, until: 150, sparesAlerts: true } }
    expect(told('PrintDone', short, '2026-03-29T00:10Z')).toBe('quiet 2026-03-29T01:30Z')
  })
})

describe('a digest', () => {
  const daily = { ...BERLIN, digest: 'daily' } as const
  it.each([
    ['takes news', 'PrintDone', '2026-11-22T09:00Z', 'digest 2026-11-22T17:00Z'],
    ['until the next day', 'PrintStarted', '2026-11-22T17:00Z', 'digest 2026-11-23T17:00Z'],
    ['and nothing that is wanted soon', 'FilamentChange', '2026-11-22T09:00Z', null],
    ['nor an alert', 'PrintFailure', '2026-11-22T09:00Z', null],
  ] as const)('%s: %s at %s', (_, kind, now, expected) => expect(told(kind, daily, now)).toBe(expected))

  it('of each hour begins with it, also where an hour is half of one', () => {
    const hourly = { ...BERLIN, quiet: null, digest: 'hourly' } as const
    expect(told('PrintDone', hourly, '2026-11-22T09:20Z')).toBe('digest 2026-11-22T10:00Z')
    expect(told('PrintDone', { ...hourly, timeZone: 'Asia/Kolkata' }, '2026-11-22T09:20Z')).toBe(
      'digest 2026-11-22T09:30Z',
    )
  })

  it('that falls into quiet hours comes after them', () => {
    const late = { ...daily, digestAt: 23 * 60 } as const
    expect(told('PrintDone', late, '2026-11-22T09:00Z')).toBe('digest 2026-11-23T06:00Z')
  })
})
