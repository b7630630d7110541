/**
 * When the owner of a print that runs is told that it is no longer watched, and when that it is again (docs/rules/watch.md
 * 8). Pure; times are milliseconds on a clock that nobody sets.
 */
import type { WatchCode } from '@vigil/contract/printers/printers.ts'
import type { PrintId } from '../../../lib/id.ts'

/** Two of the times in which agents post pictures, a slow line included. */
export const TWO_INTERVALS_MS = 25_000
/** What may be over with the next picture, or the next knock of the agent, is waited for: who is away for less alarms nobody. */
const CONFIRMED_AFTER_MS = 20_000
/** A Klipper agent's first report comes 31 to 33 s after its start; with that, a print is unseen for less than a minute. */
const UNHEARD_MS = 40_000
/** A camera that has just been plugged in. */
const FIRST_PICTURE_MS = 30_000
/** Watched for so long, and it is over. */
const CLEARED_AFTER_MS = 20_000
/** What comes back sooner than this is the same trouble: it has to be over for twice as long each time. */
export const RECURS_WITHIN_MS = 10 * 60_000

/** What has already been seen for two intervals, or more, when it is said. */
const SURE: ReadonlySet<WatchCode> = new Set<WatchCode>([
  'agent_mute',
  'picture_stale',
  'picture_frozen',
  'camera_moved',
])

/** How a print stands: `rest`, nobody means it to be watched right now; `unknown`, its agent has not come back yet, or not said what it does: `code` if that lasts. */
export type Sight =
  | { readonly kind: 'watching' }
  | {
      readonly kind: 'blind'
      readonly code: WatchCode
      readonly hasStatus: boolean
      /** It took two intervals, or more, to be seen. */
      readonly isSure: boolean
    }
  | { readonly kind: 'rest' }
  | { readonly kind: 'unknown'; readonly code: WatchCode }

/** Nobody looked at anything meanwhile: the server was not there, or its database. */
export type Gap = 'server_down' | 'database_down'

/** What is remembered of a print between two looks. */
export interface Kept {
  readonly printId: PrintId
  /** Since when it is to be watched, as far as this node knows. */
  readonly meantSince: number
  readonly blindSince: number | null
  readonly goodSince: number | null
  /** Since when nobody knows how it stands. */
  readonly unknownSince: number | null
  readonly gap: Gap | null
  /** It stood still when it was heard of last. */
  readonly isResting: boolean
}

/** An alarm that was raised and not cleared; `recurred`: so often in a row before. */
export interface Raised {
  readonly recurred: number
}

export type Act = { readonly do: 'raise'; readonly code: WatchCode } | { readonly do: 'clear' } | null

/** What is remembered of a print that is seen for the first time. */
export const beginning = (printId: PrintId, now: number, gap: Gap | null): Kept => ({
  printId,
  meantSince: now,
  blindSince: null,
  goodSince: null,
  unknownSince: null,
  gap,
  isResting: false,
})

const HEARD = { gap: null, isResting: false, unknownSince: null } as const

/** What a look at a print leads to. */
export function look(
  before: Kept,
  sight: Sight,
  now: number,
  raised: Raised | null,
): { readonly kept: Kept; readonly act: Act } {
  if (sight.kind === 'unknown') {
    const kept = { ...before, unknownSince: before.unknownSince ?? before.blindSince ?? now }
    const isTold = raised === null && !before.isResting && now - kept.unknownSince >= UNHEARD_MS
    if (!isTold) return { kept, act: null }
    return { kept: { ...kept, gap: null }, act: { do: 'raise', code: before.gap ?? sight.code } }
  }
  // Of a print that stood still, and whose agent is lost since, nobody has said that it goes on.
  if (sight.kind === 'rest' || (sight.kind === 'blind' && before.isResting && !sight.hasStatus))
    return { kept: { ...beginning(before.printId, now, null), isResting: true }, act: null }
  if (before.gap !== null && raised === null)
    return { kept: { ...before, ...HEARD }, act: { do: 'raise', code: before.gap } }
  if (sight.kind === 'blind') {
    const kept = { ...before, ...HEARD, goodSince: null, blindSince: before.blindSince ?? now }
    const isTold = raised === null && isToBeTold(kept, sight, now)
    return { kept, act: isTold ? { do: 'raise', code: sight.code } : null }
  }
  const kept = { ...before, ...HEARD, blindSince: null, goodSince: before.goodSince ?? now }
  const isOver = raised !== null && now - kept.goodSince >= clearedAfter(raised)
  return { kept, act: isOver ? { do: 'clear' } : null }
}

function isToBeTold(
  { meantSince, blindSince }: Kept,
  { code, isSure }: Sight & { kind: 'blind' },
  now: number,
): boolean {
  if (now - meantSince < TWO_INTERVALS_MS) return false
  if (isSure || SURE.has(code)) return true
  return now - (blindSince ?? now) >= (code === 'no_picture' ? FIRST_PICTURE_MS : CONFIRMED_AFTER_MS)
}

const clearedAfter = ({ recurred }: Raised) =>
  Math.min(CLEARED_AFTER_MS * 2 ** Math.min(recurred, 10), RECURS_WITHIN_MS)
