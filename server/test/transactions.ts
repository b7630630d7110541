/**
 * A transaction waits for nothing but its own connection: while its callback runs, nothing of this process may reach
 * `live`, `files`, the detector, the network or another connection, or a lock and a place in the pool would be held
 * for as long as those take. Every test of the server runs under this guard (vitest.config.ts).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Socket } from 'node:net'
import { TransactionBuilder } from 'kysely'
import pg from 'pg'
import type { Ctx } from '../ctx.ts'
import type { Files } from '../engines/files/port.ts'
import type { Detector } from '../engines/inference/port.ts'
import type { Live } from '../engines/live/port.ts'

/** True until the callback has ended: what it left running afterwards holds nothing. */
const callback = new AsyncLocalStorage<{ isRunning: boolean }>()
let reached: { readonly what: string; readonly stack: string }[] = []

/** Takes what was reached since it was last asked. */
export function takeReached(): typeof reached {
  const all = reached
  reached = []
  return all
}

function refuse(what: string): void {
  if (callback.getStore()?.isRunning !== true) return
  const error = new Error(`a transaction reached ${what}`)
  // The error may be caught on its way; the list is not.
  reached.push({ what, stack: error.stack ?? '' })
  throw error
}

type Method = (this: unknown, ...args: never[]) => unknown

/** Lets methods of an object raise an error inside transactions, before they do anything. */
function guard(target: object, names: readonly string[], what: (name: string) => string): void {
  const methods = target as Record<string, Method>
  for (const name of names) {
    const method = methods[name]
    if (typeof method !== 'function') throw new Error(`there is no ${what(name)} to guard`)
    methods[name] = function (...args) {
      refuse(what(name))
      return method.apply(this, args)
    }
  }
}

const execute = TransactionBuilder.prototype.execute
TransactionBuilder.prototype.execute = function (work) {
  return execute.call(this, async (tx) => {
    const state = { isRunning: true }
    try {
      return await callback.run(state, () => work(tx as never))
    } finally {
      state.isRunning = false
    }
  }) as never
}
guard(pg.Pool.prototype, ['connect'], () => 'another connection')
guard(Socket.prototype, ['connect'], () => 'the network')
guard(globalThis, ['fetch'], () => 'fetch')

const LIVE = [
  'publish',
  'subscribe',
  'request',
  'respond',
  'put',
  'get',
  'list',
  'incr',
  'turn',
  'claim',
  'take',
] as const
const FILES = ['put', 'get', 'stat', 'remove', 'removeAll', 'list'] as const
const DETECTOR = ['detect', 'submit', 'detectLayer'] as const

/** Guards the engines of a server. */
export function guardEngines({ live, files, detector }: Pick<Ctx, 'live' | 'files' | 'detector'>): void {
  guard(live, LIVE satisfies readonly (keyof Live)[], (name) => `live.${name}`)
  guard(files, FILES satisfies readonly (keyof Files)[], (name) => `files.${name}`)
  guard(detector, DETECTOR satisfies readonly (keyof Detector)[], (name) => `detector.${name}`)
}

/** Raises an error for what transactions have reached since it was last asked, with who did. */
export function checkReached(): void {
  const all = takeReached()
  if (all.length > 0) throw new Error(all.map(({ stack }) => stack).join('\n\n'))
}
