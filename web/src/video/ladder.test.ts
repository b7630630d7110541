import { describe, expect, it } from 'vitest'
import { type Event, figures, freshness, type Ladder, ladder, type Sample, step } from './ladder.ts'
import { type Rung, rungsOf } from './rungs.ts'

const H264: Rung = { kind: 'h264', streamId: 1 }
const MJPEG: Rung = { kind: 'mjpeg', streamId: 2 }

const NOTHING: Sample = { frames: 0, bytes: 0, lost: 0, dropped: 0, rttMs: null, connected: true }

/** A viewer at a clock of its own. */
function viewer(rungs: readonly Rung[]) {
  let state = ladder(rungs, null)
  let now = 1000
  let counted = NOTHING
  const tell = (event: Event) => {
    state = step(state, event, now)
    return state
  }
  /** So many seconds, in each of which so much is counted. */
  function pass(seconds: number, each: Partial<Sample> | null = null): Ladder {
    for (let second = 0; second < seconds; second++) {
      now += 1000
      if (each) {
        counted = {
          frames: counted.frames + (each.frames ?? 0),
          bytes: counted.bytes + (each.bytes ?? 0),
          lost: counted.lost + (each.lost ?? 0),
          dropped: counted.dropped + (each.dropped ?? 0),
          rttMs: each.rttMs ?? null,
          connected: each.connected ?? true,
        }
        tell({ type: 'sample', sample: counted })
      }
      tell({ type: 'tick' })
    }
    return state
  }
  const look = () => {
    tell({ type: 'want', wanted: true })
    return tell({ type: 'reached' })
  }
  const offered = () => {
    counted = NOTHING
    tell({ type: 'reached' })
    return tell({ type: 'offered' })
  }
  return { tell, pass, look, offered, state: () => state, now: () => now }
}

const GOOD = { frames: 25, bytes: 160_000 }

describe('the ladder of a camera', () => {
  it('has the ways that its agent tells of', () => {
    expect(rungsOf({ mode: 'h264_transcode', id: 7 }, false)).toEqual([{ kind: 'h264', streamId: 7 }])
    expect(rungsOf({ mode: 'mjpeg_webrtc', id: 2 }, true)).toEqual([MJPEG])
    expect(rungsOf({ mode: null, id: null }, true).map(({ kind, streamId }) => [kind, streamId])).toEqual([
      ['h264', 0],
      ['h264', 1],
      ['mjpeg', 2],
    ])
    expect(rungsOf({ mode: 'data_channel_only', id: 389 }, false)).toEqual([])
    expect(rungsOf({ mode: null, id: null }, false), 'one that nobody streams').toEqual([])
  })

  it('plays, and counts what is lost until somebody forgives it', () => {
    const { tell, pass, look, offered } = viewer([H264])
    expect(look()).toMatchObject({ phase: 'asking', attempt: 1 })
    offered()
    expect(pass(1, GOOD)).toMatchObject({ phase: 'playing', reason: null, retryAt: null })
    expect(figures(pass(4, GOOD))).toEqual({ fps: 25, kbps: 1280 })
    expect(pass(2, { ...GOOD, dropped: 20, lost: 6 }).lost).toBe(52)
    expect(tell({ type: 'forgive' }).lost).toBe(0)
  })

  it('says that nobody is home when nothing answers, and asks again later and later', () => {
    const { tell, pass, look, state, now } = viewer([H264, MJPEG])
    look()
    expect(pass(5)).toMatchObject({ phase: 'stills', reason: 'nobody' })
    const waits = []
    for (let fall = 0; fall < 6; fall++) {
      waits.push(Math.round(((state().retryAt ?? 0) - now()) / 1000))
      while (state().phase === 'stills') pass(1)
      tell({ type: 'reached' })
      while (state().phase === 'asking') pass(1)
    }
    expect(waits).toEqual([5, 15, 30, 60, 120, 300])
  })

  it('tells UDP that is blocked from an uplink that is too slow and a camera that stopped', () => {
    const whatFollows = (each: Partial<Sample>) => {
      const { look, offered, pass } = viewer([H264])
      look()
      offered()
      return pass(7, each)
    }
    expect(whatFollows({ connected: false })).toMatchObject({ phase: 'stills', reason: 'udp' })
    expect(whatFollows({ bytes: 100_000, lost: 90 })).toMatchObject({ phase: 'stills', reason: 'uplink' })
    expect(whatFollows({ bytes: 40 })).toMatchObject({ phase: 'stills', reason: 'camera' })
    const { look, offered, pass } = viewer([H264])
    look()
    offered()
    pass(10, GOOD)
    expect(pass(6, {}), 'what came before it stopped is no hint').toMatchObject({ reason: 'camera' })
  })

  it('falls one rung when one stream alone is the trouble, and climbs when that has played well', () => {
    const { look, offered, pass, tell } = viewer([H264, MJPEG])
    look()
    offered()
    expect(pass(7, { bytes: 100_000, lost: 90 })).toMatchObject({
      phase: 'reaching',
      at: 1,
      reason: 'uplink',
    })
    offered()
    expect(pass(2, { frames: 5, bytes: 90_000 })).toMatchObject({ phase: 'playing', reason: 'uplink' })
    expect(pass(56, { frames: 5, bytes: 90_000 })).toMatchObject({ phase: 'playing', at: 1 })
    expect(pass(4, { frames: 5, bytes: 90_000 })).toMatchObject({ phase: 'reaching', at: 0 })
    offered()
    expect(pass(2, GOOD)).toMatchObject({ phase: 'playing', at: 0, reason: null })
    expect(tell({ type: 'failed', reason: 'lost' })).toMatchObject({ phase: 'stills', reason: 'lost' })
  })

  it('tries each stream that old agents may have, and says none of the ones that are not there', () => {
    const { look, tell } = viewer(rungsOf({ mode: null, id: null }, true))
    look()
    expect(tell({ type: 'failed', reason: 'missing' })).toMatchObject({ at: 1, reason: null, attempt: 2 })
    expect(tell({ type: 'failed', reason: 'missing' })).toMatchObject({ at: 2, reason: null })
    expect(tell({ type: 'failed', reason: 'missing' })).toMatchObject({ phase: 'stills', reason: 'missing' })
  })

  it('never calls live what stands still or waits in a queue', () => {
    const { look, offered, pass, state, now } = viewer([MJPEG])
    look()
    offered()
    pass(3, { frames: 5, bytes: 90_000, rttMs: 20 })
    expect(freshness(state(), now())).toBe('live')
    pass(2, { frames: 5, bytes: 90_000, rttMs: 420 })
    expect(freshness(state(), now())).toBe('late')
    pass(12, { frames: 5, bytes: 90_000, rttMs: 420 })
    expect(freshness(state(), now()), 'however long it lasts').toBe('late')
    pass(3, { bytes: 0 })
    expect(freshness(state(), now())).toBe('still')
    expect(pass(7, {})).toMatchObject({ phase: 'stills', reason: 'camera' })
  })

  it('tells a server that is away from a printer that does not answer', () => {
    const { tell, pass } = viewer([H264])
    tell({ type: 'want', wanted: true })
    expect(pass(9).phase).toBe('reaching')
    expect(pass(2)).toMatchObject({ phase: 'stills', reason: 'lost' })
  })

  it('forgets its falls when it has played for a while, and does nothing that nobody wants', () => {
    const { look, offered, pass, tell, state, now } = viewer([H264])
    look()
    pass(5)
    tell({ type: 'again' })
    offered()
    pass(70, GOOD)
    tell({ type: 'failed', reason: 'lost' })
    expect((state().retryAt ?? 0) - now()).toBe(5000)
    tell({ type: 'want', wanted: false })
    expect(pass(600)).toMatchObject({ phase: 'off', attempt: 2 })
  })

  it('says at once what no try can change', () => {
    for (const why of ['agentOld', 'noWebrtc', 'noVideo'] as const) {
      const shown = step(ladder([H264], why), { type: 'want', wanted: true }, 5)
      expect(shown).toMatchObject({ phase: 'stills', reason: why, retryAt: null, attempt: 0 })
    }
  })
})
