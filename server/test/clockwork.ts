/**
 * What the server does by the clock, whoever does what meanwhile: everything that an interval calls, as `everyTick` and
 * the workers of jobs do. Tests that count what is asked of the database leave it out (`queries.ts`). And it comes round
 * sooner: a test turns the server's clocks, and would only wait for the server to look at them.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const clock = new AsyncLocalStorage<true>()

const A_SECOND = 1_000
/** So much sooner comes round what comes round in seconds. */
const SOONER = 3

const real = globalThis.setInterval
globalThis.setInterval = ((fn: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
  real(() => clock.run(true, () => fn(...args)), ms >= A_SECOND ? ms / SOONER : ms)) as typeof setInterval

/** True while an interval is what all this comes from. */
export const isByTheClock = (): boolean => clock.getStore() === true
