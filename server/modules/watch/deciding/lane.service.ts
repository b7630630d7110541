import type { Ctx } from '../../../ctx.ts'
import { inLane, whenCalm } from '../../../engines/db/lane.ts'

/** Many prints may fail in the same second: connections that they share to decide. */
const DECIDING = 4

/** Decides, when one of the connections for it is free. */
export async function inDecidingLane<T>({ db }: Pick<Ctx, 'db'>, decide: () => Promise<T>): Promise<T> {
  return await inLane(db, 'deciding', DECIDING, decide)
}

/** Resolves when nobody waits to decide, and after `atMostMs` whatever happens: what can wait lets other prints go first. */
export async function whenDecided({ db }: Pick<Ctx, 'db'>, atMostMs: number): Promise<void> {
  await whenCalm(db, 'deciding', atMostMs)
}
