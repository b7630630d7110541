import { z } from 'zod'
import type { Key, Keyring } from '../../../lib/keyring.ts'

const entry = z.object({
  number: z.int().nonnegative(),
  /** Sealed by `VIGIL_SECRET`; null: it is that itself. */
  sealed: z.string().nullable(),
  /** It signs from then on, in milliseconds since 1970. */
  from: z.number(),
  /** What it has signed counts until then; null: it is the newest. */
  until: z.number().nullable(),
})
type Entry = z.infer<typeof entry>

/** The keys as they are kept, the oldest first. */
export const kept = z
  .object({
    keys: z.array(entry),
    /** What is kept for long is sealed by this one. */
    sealedBy: z.int(),
  })
  .catch({ keys: [], sealedBy: 0 })
export type Kept = z.output<typeof kept>

/** A new key signs so much later: by then all nodes know it. */
export const LEAD_MS = 30_000
/** Of older ones nothing is opened any more. */
const MOST_KEYS = 100

const FIRST: Entry = { number: 0, sealed: null, from: 0, until: null }

/** The newest key, and when it signs. */
export const newestOf = ({ keys }: Kept): Entry => keys.at(-1) ?? FIRST

/** With one more key; those before it count until their overlap is over. */
export function withKey(
  before: Kept,
  { sealed, now, overlapMs }: { readonly sealed: string; readonly now: number; readonly overlapMs: number },
): Kept {
  const from = now + LEAD_MS
  const keys = before.keys.length > 0 ? before.keys : [FIRST]
  const next = { number: newestOf(before).number + 1, sealed, from, until: null }
  const ending = keys.map((one) => ({ ...one, until: Math.min(one.until ?? Infinity, from + overlapMs) }))
  return { ...before, keys: [...ending, next].slice(-MOST_KEYS) }
}

/** What a key is called outside, and how long it counts. */
export interface Told {
  readonly number: number
  readonly from: number
  readonly until: number | null
  readonly isCurrent: boolean
}

const currentOf = ({ keys }: Kept, now: number): Entry =>
  keys.findLast(({ from }) => from <= now) ?? keys[0] ?? FIRST

/** The keys as somebody is told of them: none of them itself. */
export function toldOf(held: Kept, now: number): Told[] {
  const keys = held.keys.length > 0 ? held.keys : [FIRST]
  const { number: current } = currentOf(held, now)
  return keys.map(({ number, from, until }) => ({ number, from, until, isCurrent: number === current }))
}

/** The ring of these keys at a time. A key that `open` cannot open is none: another `VIGIL_SECRET` has sealed it. */
export function ringOf(held: Kept, open: (one: Entry) => Key | null, root: Key, now: number): Keyring {
  const keys = held.keys.flatMap((one) => {
    const key = open(one)
    return key === null ? [] : [{ ...one, key }]
  })
  const { number } = currentOf({ ...held, keys }, now)
  const current = keys.find((one) => one.number === number)?.key ?? root
  const others = keys.filter(({ key }) => key.number !== current.number)
  const known = others.filter(({ until }) => until === null || until > now)
  return {
    current,
    known: [current, ...known.map(({ key }) => key)],
    all: [current, ...others.map(({ key }) => key)],
  }
}
