import { describe, expect, it } from 'vitest'
import { parseTolerant, storableJson } from '../../../lib/tolerant-json.ts'
import { place } from '../statuses/freshness.rules.ts'
import { progressOf, readStatusMessage, reportOf, saysNoLess } from '../statuses/report.rules.ts'
import { mergeSettings } from '../statuses/settings.rules.ts'

describe('tolerant JSON', () => {
  it('takes bare words for null, and leaves strings alone', () => {
    expect(parseTolerant('{"a":NaN,"b":[-Infinity,Infinity,-1],"NaN":"NaN \\" Infinity"}')).toEqual({
      a: null,
      b: [null, null, -1],
      NaN: 'NaN " Infinity',
    })
    expect(() => parseTolerant('{"a":NaM}')).toThrow(SyntaxError)
  })

  it('stores nothing that a row cannot hold', () => {
    const odd = JSON.parse('{"__proto__":{"x":1},"a":"\\u0000b\\ud800","n":1e999,"deep":[[[1]]]}') as object
    expect(storableJson({ ...odd, nan: Number.NaN })).toEqual({
      a: 'b\ufffd',
      n: null,
      deep: [[[1]]],
      nan: null,
    })
  })
})

describe('time', () => {
  const NOW = 1_700_000_000_000
  const at = (seconds: number) => NOW / 1000 + seconds

  it('goes forward; older is stale', () => {
    const first = place(null, at(0), NOW)
    expect(first).toEqual({ raw: at(0), shown: at(0), at: NOW })
    expect(place(first, at(-0.5), NOW + 1000)).toBeNull()
    expect(place(first, at(5), NOW + 5000)?.shown).toBe(at(5))
  })

  it('of a clock that is ahead is the time of arrival, and it may come back', () => {
    const ahead = place(null, at(86_400), NOW)
    expect(ahead).toEqual({ raw: at(86_400), shown: at(0), at: NOW })
    expect(place(ahead, at(86_410), NOW + 10_000)?.shown).toBe(at(10))
    const back = place(ahead, at(3), NOW + 3000)
    expect(back).toEqual({ raw: at(3), shown: at(3), at: NOW + 3000 })
    expect(place(ahead, at(86_300), NOW + 3000)).toBeNull()
  })

  it('of a clock that fell back counts again once nothing newer has come for a while', () => {
    const first = place(null, at(0), NOW)
    expect(place(first, at(-7200), NOW + 30_000)).toBeNull()
    const accepted = place(first, at(-7200), NOW + 50_000)
    expect(accepted).toEqual({ raw: at(-7200), shown: at(50), at: NOW + 50_000 })
    expect(place(accepted, at(-7190), NOW + 60_000)?.shown).toBe(at(60))
  })
})

describe('a status that waits', () => {
  const message = (change: object = {}, more: object = {}) =>
    readStatusMessage({
      current_print_ts: 1_700_000_000,
      status: {
        _ts: 1,
        state: { text: 'Printing', flags: { printing: true } },
        job: { file: { name: 'a.gcode' } },
        progress: { completion: 5 },
        temperatures: { tool0: { actual: 199, target: 200, offset: 0 } },
        ...change,
      },
      ...more,
    })

  it('gives its place to the next that says the same, with later numbers', () => {
    const later = { progress: { completion: 6 }, temperatures: { tool0: { actual: 201, target: 200 } } }
    expect(saysNoLess(message(later), message())).toBe(true)
  })

  it.each([
    ['an event', {}, { event: { event_type: 'PrintPaused' } }],
    ['settings', {}, { settings: { agent: {} } }],
    ['another print', {}, { current_print_ts: 1_700_000_001 }],
    ['no print', {}, { current_print_ts: -1 }],
    ['another file', { job: { file: { name: 'b.gcode' } } }, {}],
    ['a pause', { state: { text: 'Paused', flags: { paused: true } } }, {}],
    ['another state', { state: { text: 'Offline' } }, {}],
    ['another target', { temperatures: { tool0: { actual: 199, target: 0, offset: 0 } } }, {}],
    ['a printer that is offline', {}, { status: {} }],
  ])('keeps it before or after %s', (_what, change, more) => {
    expect(saysNoLess(message(change, more), message())).toBe(false)
    expect(saysNoLess(message(), message(change, more))).toBe(false)
  })
})

describe('a status message', () => {
  it('of an old agent reads the same', () => {
    const status = { _ts: 1, job: { file: { name: 'a.gcode' } } }
    const read = readStatusMessage({
      current_print_ts: 5,
      octoprint_data: status,
      octoprint_event: { event_type: 'PrintDone' },
      octoprint_settings: { a: 1 },
      tsd_gcode_file_id: '7',
    })
    expect(read).toEqual({
      printTs: 5,
      status,
      event: { name: 'PrintDone', data: {} },
      settings: { a: 1 },
      fileId: 7,
    })
    expect(reportOf(read, null)).toMatchObject({
      printTs: 5,
      fileName: 'a.gcode',
      fileId: 7,
      event: 'PrintDone',
    })
  })

  it('of nonsense is as if absent', () => {
    const nothing = { printTs: null, status: null, event: null, settings: null, fileId: null }
    expect(readStatusMessage({})).toEqual(nothing)
    expect(readStatusMessage({ status: {}, event: 'x', settings: [], current_print_ts: '5' })).toEqual(
      nothing,
    )
    expect(
      readStatusMessage({
        status: [],
        event: { event_type: 3 },
        current_print_ts: 1e300,
        tsd_gcode_file_id: 2 ** 40,
      }),
    ).toEqual(nothing)
  })

  it('has a file name that can be stored, and numbers that can', () => {
    const name = (given: unknown) =>
      reportOf(readStatusMessage({ event: { event_type: 'PrintStarted', data: { name: given } } }), null)
        .fileName
    expect(name('  a\0b.gcode ')).toBe('ab.gcode')
    expect(name('\ud800')).toBe('\ufffd')
    expect(name('x'.repeat(5000))).toHaveLength(1000)
    expect(name(' ')).toBeNull()
    expect(name(7)).toBeNull()
    expect(
      progressOf({
        progress: { completion: '5', printTime: -1, filamentUsed: 1e300 },
        job: { filament: { tool0: { length: 5 }, tool1: { length: 6 } } },
      }),
    ).toEqual({
      completion: null,
      printTime: null,
      filamentUsed: null,
      planned: 11,
    })
  })
})

describe('settings', () => {
  const stored = { settings: {}, agentName: null, agentVersion: null }

  it('change only by what is new', () => {
    const first = mergeSettings(stored, {
      webcams: [{ name: 'a' }],
      agent: { name: 'x', version: '1' },
      temperature: { profiles: [{ name: 'PLA' }], other: 1 },
    })
    expect(first).toEqual({
      settings: { webcams: [{ name: 'a' }], temp_profiles: [{ name: 'PLA' }] },
      agentName: 'x',
      agentVersion: '1',
    })
    if (first === null) return
    expect(mergeSettings(first, { webcams: null, data_channel_id: null, temperature: null })).toBeNull()
    expect(mergeSettings(first, { webcams: [{ name: 'a' }] })).toBeNull()
    expect(mergeSettings(first, {})).toBeNull()
    expect(mergeSettings(first, { webcams: [] })?.settings).toMatchObject({ webcams: [] })
  })

  it('tell presets, none of them, and nothing about them apart', () => {
    const none = mergeSettings(stored, { temperature: { profiles: null } })
    expect(none?.settings).toEqual({ temp_profiles: [] })
    expect(mergeSettings(stored, { temperature: {}, octoprint_version: '1.3' })?.settings).toEqual({
      octoprint_version: '1.3',
    })
    const some = { ...stored, settings: { temp_profiles: [{ name: 'PLA' }] } }
    expect(mergeSettings(some, { temperature: { profiles: null } })).toBeNull()
    expect(mergeSettings(some, { temperature: { profiles: [] } })?.settings).toEqual({ temp_profiles: [] })
  })

  it('too large are none', () => {
    expect(
      mergeSettings(stored, { installed_plugins: Array.from({ length: 900 }, () => 'x'.repeat(100)) }),
    ).toBeNull()
  })
})
