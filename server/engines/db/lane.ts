import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Db } from './port.ts'
import { keptBy } from '../../lib/of-server.ts'

const lanesOf = keptBy<Db, Map<string, LimitFunction>>(() => new Map())

/**
 * Runs `work` when fewer than `atMost` others of its lane do. The pool has twelve connections and gives them to who
 * asked first: what hundreds of printers want at the same moment takes a few of them, and no request waits behind it.
 */
export function inLane<T>(db: Db, name: string, atMost: number, work: () => Promise<T>): Promise<T> {
  const known = lanesOf(db)
  const lane = known.get(name) ?? pLimit(atMost)
  known.set(name, lane)
  return lane(work)
}

const LOOK_EVERY_MS = 20

/**
 * Resolves when nobody waits for a place in this lane, at the latest after `atMostMs`: what can wait lets what cannot go
 * first.
 */
export async function whenCalm(db: Db, name: string, atMostMs: number): Promise<void> {
  const lane = lanesOf(db).get(name)
  const end = performance.now() + atMostMs
  while (lane && lane.pendingCount > 0 && performance.now() < end) await sleep(LOOK_EVERY_MS)
}
