import { serialize } from 'bson'
import { describe, expect, it } from 'vitest'
import { decodeFrame } from '../frames/decode.ts'
import { diagnose, type Vitals } from './vitals.rules.ts'

describe('a frame', () => {
  it('is told apart by its first known key', () => {
    const kind = (message: object) => decodeFrame(Buffer.from(JSON.stringify(message)), false).kind
    expect(kind({ passthru: {}, janus: 'x' })).toBe('janus')
    expect(kind({ janus: {} })).toBe('bad')
    expect(kind({ passthru: {}, 'ws.tunnel': {} })).toBe('tunnel')
    expect(kind({ status: {}, passthru: {} })).toBe('passthru')
    expect(kind({})).toBe('status')
    expect(kind({ passthru: 7 })).toBe('bad')
    expect(kind([])).toBe('bad')
  })

  it('may be BSON; a tunnel body is not even read', () => {
    expect(
      decodeFrame(Buffer.from(serialize({ status: { _ts: 1.5 }, current_print_ts: 7 })), true),
    ).toMatchObject({
      kind: 'status',
      message: { status: { _ts: 1.5 }, current_print_ts: 7 },
    })
    const tunnel = Buffer.from(
      serialize({ 'http.tunnelv2': { ref: 'r', response: { content: Buffer.alloc(2_000_000) } } }),
    )
    expect(decodeFrame(tunnel, true)).toEqual({ kind: 'tunnel' })
    const whole = Buffer.from(serialize({ status: { _ts: 1 } }))
    for (let cut = 0; cut < whole.length; cut++)
      expect(decodeFrame(whole.subarray(0, cut), true).kind).toBe('bad')
    for (let size = 0; size < 300; size++) {
      const sized = Buffer.from(serialize({ 'ws.tunnel': { data: 'x'.repeat(size) } }))
      expect(decodeFrame(sized, true)).toEqual({ kind: 'tunnel' })
    }
    expect(decodeFrame(Buffer.from('{"passthru":{}}'), true).kind).toBe('passthru')
  })

  it('nested a hundred thousand deep is bad, not fatal', () => {
    const deep = Buffer.from(`{"status":{"_ts":1,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`)
    expect(['status', 'bad']).toContain(decodeFrame(deep, false).kind)
  })

  it('of megabytes is a picture, not as many megabytes of small values', () => {
    const frame = (value: string) =>
      decodeFrame(Buffer.from(`{"passthru":{"ref":"1","ret":${value}}}`), false).kind
    expect(frame(`"${'QUJD'.repeat(1_000_000)}"`)).toBe('passthru')
    expect(frame(`[${'[],'.repeat(1_000_000)}0]`)).toBe('bad')
    expect(frame(`{${'"a":1,'.repeat(500_000)}"b":1}`)).toBe('bad')
  })
})

describe('vitals', () => {
  const vitals: Vitals = {
    openedAt: 0,
    heardAt: 0,
    reportedAt: 0,
    hasReported: false,
    isInPrint: false,
    wasWhole: false,
    pingedAt: 0,
    unanswered: 0,
    beckonedAt: null,
    away: null,
    record: { state: 'waiting', heardAt: 0, needsRestart: false },
  }

  it('ask for pings, then say that nobody answers, then give up', () => {
    expect(diagnose(vitals, 19_000)).toMatchObject({ isPingDue: false, isRecordDue: false })
    expect(diagnose(vitals, 20_000)).toMatchObject({ isPingDue: true, record: { state: 'waiting' } })
    expect(diagnose(vitals, 60_000)).toMatchObject({
      isDead: false,
      isRecordDue: true,
      record: { state: 'not_responding' },
    })
    expect(diagnose(vitals, 150_000).isDead).toBe(true)
  })

  it('in a print say that nobody answers after two pings, and not of a server that stood still', () => {
    const printing = { ...vitals, isInPrint: true, hasReported: true }
    expect(diagnose(printing, 10_000).isPingDue).toBe(true)
    expect(diagnose({ ...printing, unanswered: 2 }, 24_999).record.state).toBe('connected')
    expect(diagnose({ ...printing, unanswered: 2 }, 25_000).record.state).toBe('not_responding')
    expect(diagnose({ ...printing, unanswered: 1 }, 40_000).record.state).toBe('connected')
    expect(diagnose({ ...vitals, hasReported: true, unanswered: 2 }, 40_000).record.state).toBe('connected')
  })

  it('in a print call an agent mute that has missed its report and does not answer when it is beckoned', () => {
    const printing = { ...vitals, isInPrint: true, wasWhole: true, hasReported: true }
    const heard = (now: number, more: Partial<Vitals> = {}) =>
      diagnose({ ...printing, heardAt: now - 5_000, ...more }, now)
    expect(heard(37_000).isBeckonDue).toBe(false)
    expect(heard(38_000)).toMatchObject({ isBeckonDue: true, record: { needsRestart: false } })
    expect(heard(49_000, { beckonedAt: 38_000 })).toMatchObject({
      isBeckonDue: false,
      record: { needsRestart: false },
    })
    expect(heard(50_000, { beckonedAt: 38_000 }).record.needsRestart).toBe(true)
    for (const other of [{ isInPrint: false }, { wasWhole: false }])
      expect(heard(100_000, other)).toMatchObject({ isBeckonDue: false, record: { needsRestart: false } })
    const away = { since: 0, state: 'disconnected', message: null } as const
    expect(heard(200_000, { away }).record.needsRestart).toBe(false)
  })

  it('wait for the first report for two minutes, and call a mute agent after three', () => {
    expect(diagnose({ ...vitals, heardAt: 119_000 }, 119_500).record.state).toBe('waiting')
    expect(diagnose({ ...vitals, heardAt: 121_000 }, 121_500).record.state).toBe('connected')
    expect(diagnose({ ...vitals, heardAt: 181_000 }, 181_500).record.needsRestart).toBe(true)
  })
})
