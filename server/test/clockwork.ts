/**
 * What the server does by the clock, whoever does what meanwhile: everything that an interval calls, as `everyTick` and
 * the workers of jobs do. Tests that count what is asked of the database leave it out (`queries.ts`).
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const clock = new AsyncLocalStorage<true>()

const real = globalThis.setInterval
globalThis.setInterval = ((fn: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
  real(() => clock.run(true, () => fn(...args)), ms)) as typeof setInterval

/** True while an interval is what all this comes from. */
export const isByTheClock = (): boolean => clock.getStore() === true
