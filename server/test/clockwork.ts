/**
 * What the server does by itself, whoever does what meanwhile: everything that an interval calls, as `everyTick` does, and
 * every job, which runs when it can. Tests that count what is asked of the database leave it out (`queries.ts`). What the
 * clock calls comes round sooner: a test turns the server's clocks, and would only wait for the server to look at them.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { PgBoss } from 'pg-boss'

const byItself = new AsyncLocalStorage<true>()

const A_SECOND = 1_000
/** So much sooner comes round what comes round in seconds. */
const SOONER = 3

const real = globalThis.setInterval
globalThis.setInterval = ((fn: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
  real(() => byItself.run(true, () => fn(...args)), ms >= A_SECOND ? ms / SOONER : ms)) as typeof setInterval

const work = PgBoss.prototype.work
PgBoss.prototype.work = function (this: PgBoss, ...args: unknown[]) {
  const [name, options, handler] = args as Parameters<typeof work>
  return work.call(this, name, options, (jobs) => byItself.run(true, () => handler(jobs)))
} as typeof work

/** True while an interval or a job is what all this comes from. */
export const isByItself = (): boolean => byItself.getStore() === true
