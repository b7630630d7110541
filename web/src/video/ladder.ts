import type { Rung } from './rungs.ts'

/**
 * Why there is no better picture (docs/rules/pages.md 9). `udp`: no way between browser and printer; `uplink`: too little comes through
 * it; `camera`: nothing comes, though the way stands; `nobody`: the printer's video does not answer; `lost`: it was cut off;
 * `missing`: the camera has no such stream; `busy`: the server takes no more viewers now.
 */
export type Reason =
  | 'udp'
  | 'uplink'
  | 'camera'
  | 'nobody'
  | 'lost'
  | 'missing'
  | 'busy'
  | 'agentOld'
  | 'noVideo'
  | 'noWebrtc'

/** What was counted since the connection began. */
export interface Sample {
  /** Pictures that were decoded. */
  frames: number
  bytes: number
  /** Packets that never came. */
  lost: number
  /** Pictures that came and could not be shown. */
  dropped: number
  /** Of the way to the printer and back, in ms; null as long as it isn't known. */
  rttMs: number | null
  /** The browser says that the way stands. */
  connected: boolean
}

export type Event =
  /** Somebody wants to see it, or nobody does any more. */
  | { type: 'want'; wanted: boolean }
  /** There is a way to who brings what is said to the gateway. */
  | { type: 'reached' }
  /** The gateway has offered its stream: from here on it is between browser and printer. */
  | { type: 'offered' }
  | { type: 'sample'; sample: Sample }
  | { type: 'failed'; reason: Reason }
  /** Who looks wants it tried now. */
  | { type: 'again' }
  | { type: 'forgive' }
  | { type: 'tick' }

interface Timed extends Sample {
  at: number
}

/** How a picture is being got, and how that goes. Times are ms of one clock that only goes on. */
export interface Ladder {
  readonly rungs: readonly Rung[]
  /** Place in `rungs`; behind the last one there are stills. */
  readonly at: number
  readonly phase: 'off' | 'reaching' | 'asking' | 'connecting' | 'playing' | 'stills'
  /** When the phase began. */
  readonly since: number
  /** Counts connections: another number is another connection. */
  readonly attempt: number
  /** When the last picture came over this connection. */
  readonly frameAt: number | null
  readonly samples: readonly Timed[]
  /** The shortest way there and back of this connection, in ms. */
  readonly bestRttMs: number | null
  /** Why it is no better than it is. */
  readonly reason: Reason | null
  /** When a better one is tried; null for never. */
  readonly retryAt: number | null
  /** Falls in a row: each makes the next try wait longer. */
  readonly falls: number
  /** Pictures and packets lost since somebody forgave it. */
  readonly lost: number
}

/** No way to the server, and no answer of the gateway. */
const REACHING_MS = 10_000
const ASKING_MS = 4_000
/** No picture since the offer. */
const CONNECTING_MS = 4_000
/** It stands still, and after longer it is gone. */
export const BUFFERING_MS = 2_500
const GONE_MS = 5_000
/** So little comes through that stills say more. */
const TOO_FEW_FPS = 1
const JUDGED_OVER_MS = 8_000
/** Waits before the next try, by falls in a row. */
const RETRY_MS = [5_000, 15_000, 30_000, 60_000, 120_000, 300_000]
/** Who played well for so long has not fallen in a row. */
const STEADY_MS = 60_000
/** So many losses are worth a word (docs/rules/pages.md 9). */
export const SLOW_LINK = 50
/** The way there takes so much longer than at its best: what comes waits in a queue before it. */
const QUEUED_MS = 200
/** What no try can change. */
const FINAL: ReadonlySet<Reason> = new Set(['agentOld', 'noVideo', 'noWebrtc'])
/** What is so for one stream only: the next one down is tried. */
const OF_STREAM: ReadonlySet<Reason> = new Set(['uplink', 'camera', 'missing'])

export function ladder(rungs: readonly Rung[], why: Reason | null): Ladder {
  return {
    rungs: why ? [] : rungs,
    at: 0,
    phase: 'off',
    since: 0,
    attempt: 0,
    frameAt: null,
    samples: [],
    bestRttMs: null,
    reason: why ?? (rungs.length === 0 ? 'noVideo' : null),
    retryAt: null,
    falls: 0,
    lost: 0,
  }
}

const hasWay = ({ phase }: Ladder) => phase === 'connecting' || phase === 'playing'
const isOpen = (held: Ladder) => held.phase === 'reaching' || held.phase === 'asking' || hasWay(held)

/** What there is after an event, at a moment. */
export function step(held: Ladder, event: Event, now: number): Ladder {
  switch (event.type) {
    case 'want':
      return want(held, event.wanted, now)
    case 'again':
      return held.phase === 'stills' && held.rungs.length > 0 ? anew(held, now) : held
    case 'forgive':
      return { ...held, lost: 0 }
    case 'failed':
      return isOpen(held) ? fall(held, event.reason, now) : held
    case 'reached':
      return held.phase === 'reaching' ? { ...held, phase: 'asking', since: now } : held
    case 'offered':
      return held.phase === 'asking' ? { ...held, phase: 'connecting', since: now } : held
    case 'sample':
      return hasWay(held) ? judge(count(held, event.sample, now), now) : held
    case 'tick':
      return tick(held, now)
  }
}

function want(held: Ladder, wanted: boolean, now: number): Ladder {
  if (!wanted)
    return held.phase === 'off' ? held : { ...held, phase: 'off', since: now, frameAt: null, samples: [] }
  if (held.phase !== 'off') return held
  // Nothing can be had here, and that is said.
  if (held.rungs.length === 0) return { ...held, phase: 'stills', since: now }
  return anew(held, now)
}

/** Somebody came, or asked for it: what failed before is forgotten. */
const anew = (held: Ladder, now: number) => open({ ...held, falls: 0, reason: null }, 0, now)

/** What is said of it: `loading` before the first picture. Why the last try failed is said on during the next. */
export function saidOf({ phase, reason }: Ladder) {
  const isOpening = phase === 'reaching' || phase === 'asking' || phase === 'connecting'
  return { phase: isOpening ? 'loading' : phase, reason: phase === 'off' ? null : reason } as const
}

function open(held: Ladder, at: number, now: number): Ladder {
  return {
    ...held,
    at,
    phase: 'reaching',
    since: now,
    attempt: held.attempt + 1,
    frameAt: null,
    samples: [],
    bestRttMs: null,
    retryAt: null,
  }
}

/** One rung down where that may help, else to stills; the top is tried again later, and ever later. */
function fall(held: Ladder, reason: Reason, now: number): Ladder {
  if (OF_STREAM.has(reason) && held.at + 1 < held.rungs.length)
    return { ...open(held, held.at + 1, now), reason: reason === 'missing' ? held.reason : reason }
  const steady = held.phase === 'playing' && now - held.since > STEADY_MS
  const falls = steady ? 0 : held.falls
  const wait = RETRY_MS[Math.min(falls, RETRY_MS.length - 1)] ?? 0
  return {
    ...held,
    at: held.rungs.length,
    phase: 'stills',
    since: now,
    frameAt: null,
    samples: [],
    reason,
    retryAt: FINAL.has(reason) ? null : now + wait,
    falls: falls + 1,
  }
}

function count(held: Ladder, sample: Sample, now: number): Ladder {
  const last = held.samples.at(-1)
  const moved = sample.frames > (last?.frames ?? 0)
  const samples = [...held.samples.filter(({ at }) => now - at <= JUDGED_OVER_MS), { ...sample, at: now }]
  const gone = ({ dropped, lost: packets }: Sample) => dropped + packets
  const lost = held.lost + Math.max(0, gone(sample) - (last ? gone(last) : 0))
  const { rttMs } = sample
  const bestRttMs = rttMs === null ? held.bestRttMs : Math.min(rttMs, held.bestRttMs ?? rttMs)
  const counted = { ...held, samples, lost, bestRttMs, frameAt: moved ? now : held.frameAt }
  if (!moved || held.phase === 'playing') return counted
  // Moving pictures of the best kind: there is nothing to explain.
  const climbAt = held.at === 0 ? null : now + STEADY_MS * 2 ** Math.min(held.falls, 3)
  return {
    ...counted,
    phase: 'playing',
    since: now,
    reason: held.at === 0 ? null : held.reason,
    retryAt: climbAt,
  }
}

/** Whether it is good enough to go on with. */
function judge(held: Ladder, now: number): Ladder {
  const quiet = now - (held.frameAt ?? held.since)
  if (held.phase === 'connecting' && quiet > CONNECTING_MS) return fall(held, whyNothing(held), now)
  if (held.phase !== 'playing') return held
  if (quiet > GONE_MS) return fall(held, whyNothing(held), now)
  const [first, last] = [held.samples[0], held.samples.at(-1)]
  if (!first || !last || last.at - first.at < JUDGED_OVER_MS * 0.8) return held
  const fps = ((last.frames - first.frames) * 1000) / (last.at - first.at)
  const starved = held.rungs[held.at]?.kind === 'h264' && fps < TOO_FEW_FPS && last.lost > first.lost
  return starved ? fall(held, 'uplink', now) : held
}

/** What the counts say of a picture that does not come. */
function whyNothing({ samples, frameAt }: Ladder): Reason {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last) return 'udp'
  if (!last.connected) return first.connected || last.frames > 0 ? 'lost' : 'udp'
  const before = samples.find(({ at }) => at === frameAt)?.bytes ?? 0
  return last.bytes - before > 20_000 ? 'uplink' : 'camera'
}

function tick(held: Ladder, now: number): Ladder {
  if (held.phase === 'reaching' && now - held.since > REACHING_MS) return fall(held, 'lost', now)
  if (held.phase === 'asking' && now - held.since > ASKING_MS) return fall(held, 'nobody', now)
  const due = held.retryAt !== null && now >= held.retryAt
  if (due && (held.phase === 'stills' || held.phase === 'playing')) return open(held, 0, now)
  return hasWay(held) ? judge(held, now) : held
}

/** How it goes, in figures: pictures and kilobits a second; null before there is enough to say. */
export function figures({ samples }: Ladder): { fps: number; kbps: number } | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < 1500) return null
  const ms = last.at - first.at
  return {
    fps: ((last.frames - first.frames) * 1000) / ms,
    kbps: ((last.bytes - first.bytes) * 8) / ms,
  }
}

/** Whether what is shown is now: `live`, `late` where it waits in a queue, `still` where it stands. */
export function freshness(held: Ladder, now: number): 'live' | 'late' | 'still' {
  if (held.frameAt === null || now - held.frameAt > BUFFERING_MS) return 'still'
  const rttMs = held.samples.findLast((each) => each.rttMs !== null)?.rttMs ?? 0
  return rttMs - (held.bestRttMs ?? rttMs) > QUEUED_MS ? 'late' : 'live'
}
