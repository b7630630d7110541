import type { Ctx } from '../ctx.ts'
import { clientOf, siteOf } from '../lib/addresses.ts'
import { type AppError, throttled } from './errors.ts'

/** How many tries a window of wall-clock time allows to whoever is counted. */
export interface Limit {
  readonly name: string
  readonly tries: number
  readonly windowMs: number
  /** What can be guessed: who uses up a second window within a day waits twice as long, and so on up to four hours. */
  readonly grows?: true
  /** The refusal, given the seconds to wait; a sentence with Retry-After unless given. */
  readonly refuse?: (seconds: number) => AppError
}

/** A limit, and who is counted under it: an account, a link, an address. */
export interface Counter {
  readonly limit: Limit
  readonly who: string
}

type Store = Pick<Ctx, 'live' | 'clock'>

/** Counted tries that can still be taken back. */
interface Spent {
  giveBack(): Promise<void>
}

/** Other customers of a provider may share a /48, so it may do this many times as much as one client. */
const SITE = 4
/** For so long nobody is kept out by strangers' failures where they have succeeded themselves. */
const KNOWN_MS = 30 * 24 * 3_600_000
const DAY_MS = 24 * 3_600_000
/** Whoever guesses on and on waits so long at most. */
const LONGEST_MS = 4 * 3_600_000

/** Windows of wall-clock time, so that Retry-After can name the end. */
function windowOf({ clock }: Store, { limit, who }: Counter) {
  const now = clock.now()
  const end = (Math.floor(now / limit.windowMs) + 1) * limit.windowMs
  return { key: `limit:${limit.name}:${who}:${end}`, leftMs: end - now }
}

const heldKey = ({ limit, who }: Counter) => `held:${limit.name}:${who}`
const againKey = ({ limit, who }: Counter) => `again:${limit.name}:${who}`

/** Milliseconds for which one who went on guessing is kept out still. */
async function heldMs({ live, clock }: Store, counter: Counter): Promise<number> {
  if (!counter.limit.grows) return 0
  const until = await live.get(heldKey(counter))
  return until === null ? 0 : Math.max(0, Number(until) - clock.now())
}

/** Milliseconds that whoever has used up this window has to wait: its rest, and longer each time that it happens in a day. */
async function hold(
  ctx: Store,
  counter: Counter,
  { key, leftMs }: ReturnType<typeof windowOf>,
): Promise<number> {
  if (!counter.limit.grows || !(await isFirst(ctx, `${key}:over`, leftMs))) return leftMs
  const times = await ctx.live.incr(againKey(counter), DAY_MS)
  if (times === 1) return leftMs
  const ms = Math.max(leftMs, Math.min(counter.limit.windowMs * 2 ** (times - 1), LONGEST_MS))
  await ctx.live.put(heldKey(counter), String(ctx.clock.now() + ms), ms)
  return ms
}

/**
 * Counts a try under each counter and only then looks, so that tries at the same moment cannot outrun the count.
 * Name the narrowest first: what it refuses is not counted under the wider ones, so that nobody uses up what
 * belongs to all. Raises 429; a refused try is counted nowhere.
 */
export async function spend(ctx: Store, ...counters: readonly Counter[]): Promise<Spent> {
  const counted: { key: string; leftMs: number }[] = []
  const giveBack = async () => {
    await Promise.all(counted.map(({ key, leftMs }) => ctx.live.incr(key, leftMs, -1)))
  }
  for (const counter of counters) {
    let waitMs = await heldMs(ctx, counter)
    if (waitMs === 0) {
      const window = windowOf(ctx, counter)
      counted.push(window)
      if ((await ctx.live.incr(window.key, window.leftMs)) <= counter.limit.tries) continue
      waitMs = await hold(ctx, counter, window)
    }
    await giveBack()
    throw (counter.limit.refuse ?? throttled)(waitMs / 1000)
  }
  return { giveBack }
}

/**
 * A guarded door: `work` runs as one counted try, and only an answer of null, a failure, stays counted. Raises 429
 * before `work` when there were too many.
 */
export async function spendOnFailure<T>(
  ctx: Store,
  counters: readonly Counter[],
  work: () => Promise<T | null>,
): Promise<T | null> {
  const spent = await spend(ctx, ...counters)
  let failed = false
  try {
    const answer = await work()
    failed = answer === null
    return answer
  } finally {
    if (!failed) await spent.giveBack()
  }
}

/** Takes back all that was counted under these. */
export async function forgive(ctx: Store, counters: readonly Counter[]): Promise<void> {
  const keys = counters.flatMap((one) => [windowOf(ctx, one).key, heldKey(one), againKey(one)])
  await Promise.all(keys.map((key) => ctx.live.put(key, null, 0)))
}

/** A limit by address: of the client itself and, looser, of the IPv6 network that may be all its own. What is no address counts as one client. */
export function byAddress(limit: Limit, address: string, who = ''): Counter[] {
  const own = { limit, who: `${who}@${clientOf(address)}` }
  const site = siteOf(address)
  if (site === clientOf(address)) return [own]
  return [own, { limit: { ...limit, tries: limit.tries * SITE }, who: `${who}@${site}` }]
}

const knownKey = (who: string, address: string) => `known:${who}@${clientOf(address)}`

/** Remembers that `who` got in from this address. */
export const rememberKnown = (ctx: Store, who: string, address: string): Promise<void> =>
  ctx.live.put(knownKey(who, address), '1', KNOWN_MS)

/**
 * A limit on the failures of all addresses together, for those addresses alone from which `who` never got in: else
 * strangers could lock out whom it protects.
 */
async function byStrangers(
  ctx: Store,
  limit: Limit,
  { who, address }: { who: string; address: string },
): Promise<Counter[]> {
  return (await ctx.live.get(knownKey(who, address))) === null ? [{ limit, who }] : []
}

interface GuessLimits {
  /** At one secret, from one place. */
  readonly here: Limit
  /** At any, from one place. */
  readonly place: Limit
  /** At one, from all places together. */
  readonly all: Limit
}

/**
 * The counters of a guess at what protects `who`, and those of them that a right one forgets. Its place is its address, or a
 * browser that `who` is known by: what strangers guess is nothing to that.
 */
export async function byGuess(
  ctx: Store,
  limits: GuessLimits,
  { who, place, address }: { who: string; place: string; address: string },
): Promise<{ here: Counter[]; guards: Counter[] }> {
  const here = byAddress(limits.here, place, who)
  const strangers = place === address ? await byStrangers(ctx, limits.all, { who, address }) : []
  return { here, guards: [...here, ...byAddress(limits.place, place), ...strangers] }
}

/** True for the first of those who come with this key within `ttlMs`. */
export const isFirst = async ({ live }: Pick<Ctx, 'live'>, key: string, ttlMs: number): Promise<boolean> =>
  (await live.incr(key, ttlMs)) === 1
