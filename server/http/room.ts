import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../ctx.ts'
import type { Db } from '../engines/db/port.ts'
import { RESERVE_BYTES, type Space } from '../engines/files/space.ts'
import { AppError, diskFull, tooLarge } from './errors.ts'
import { deleteRoom, insertRoom, lockRoom, takenRoom, updateRoom } from './room.queries.ts'
import { text } from './texts.ts'

/** An upload of which nothing has come for so long is nobody's any more. */
export const LAPSE_MS = 3_600_000
/** So many uploads may somebody have begun and not ended. */
const MOST_UNFINISHED = 20
/** How much has come is written down each time that so much more has. */
const NOTED_BYTES = 16 * 1_048_576

/** What an owner may store in all. */
export interface Quota {
  /** Whatever comes under the same name counts for the same, whoever brings it: an account's browser, slicer or slicing. */
  readonly name: string
  readonly mostBytes: number
  /** What is stored already. */
  used(db: Db): Promise<number>
  readonly full: AppError
}

/** What somebody wants to upload. */
interface Wish {
  readonly id: string
  readonly owner: string
  /** As large as it may be; absent when nobody says. */
  readonly numBytes?: number
  /** So much of that may not be file. */
  readonly aroundBytes?: number
  readonly maxBytes: number
  readonly quota?: Quota | undefined
  readonly lapseMs?: number
  /** How often its bytes lie on the disk before it has ended; once unless given. */
  readonly timesOnDisk?: number
  readonly tooLarge?: AppError | undefined
}

/** Room that is an upload's until it has ended. */
export interface Room {
  /** The file may be so large. */
  readonly maxBytes: number
  /** What a larger one is refused with. */
  readonly tooLarge: AppError
  /** So much of it lies there. */
  came(numBytes: number): void
  release(): Promise<void>
}

export type RoomCtx = Pick<Ctx, 'db' | 'clock' | 'config' | 'log'>
type Door = Pick<FastifyInstance, 'space'>

/**
 * Takes the room that an upload may need, before a byte of it is read: of its owner's quota, and of the disk where files lie on
 * one. Of uploads that begin at once each sees the room of those before it. Raises 413, 429 for too many, 507.
 */
export async function takeRoom(ctx: RoomCtx, { space }: Door, wish: Wish): Promise<Room> {
  const { id, owner, quota, maxBytes, aroundBytes = 0, lapseMs = LAPSE_MS, timesOnDisk = 1 } = wish
  const name = quota?.name ?? null
  const numBytes = Math.min(wish.numBytes ?? maxBytes, maxBytes)
  // All of what was named must find room; where nothing was named, what there is will do.
  const least = wish.numBytes === undefined ? 1 : Math.max(1, Math.min(wish.numBytes - aroundBytes, maxBytes))
  if (isOnDisk(ctx)) await space.look()
  const granted = await ctx.db.transaction().execute(async (tx) => {
    const now = new Date(ctx.clock.now())
    await lockRoom(tx, now)
    const taken = await takenRoom(tx, { owner, quota: name })
    if (taken.count >= MOST_UNFINISHED) throw tooMany()
    const ofQuota = quota ? quota.mostBytes - taken.bytes - (await usedOf(tx, quota)) : Infinity
    if (ofQuota < least) throw quota?.full ?? tooLarge()
    const ofDisk = (diskLeft(ctx, space) - taken.toCome) / timesOnDisk
    if (ofDisk < least) throw diskFull(space.folder)
    const room = Math.floor(Math.min(numBytes, ofQuota, ofDisk))
    const lapsesAt = new Date(now.getTime() + lapseMs)
    await insertRoom(tx, { id, owner, quota: name, numBytes: room, lapsesAt, timesOnDisk })
    return { numBytes: room, isQuota: room === ofQuota }
  })
  const refusal = granted.isQuota ? quota?.full : wish.tooLarge
  return {
    maxBytes: Math.min(granted.numBytes, maxBytes),
    tooLarge: refusal ?? tooLarge(),
    came: noter(ctx, id, lapseMs),
    release: () => releaseRoom(ctx, id),
  }
}

const tooMany = () =>
  new AppError(429, {
    detail: text('gcode-files-server', 'tooManyUploads', { most: String(MOST_UNFINISHED) }),
  })

const usedOf = async (db: Db, quota: Quota) => (Number.isFinite(quota.mostBytes) ? await quota.used(db) : 0)

const isOnDisk = ({ config }: RoomCtx) => config.S3_URL === undefined

/** What may be written to the disk before uploads are refused; elsewhere, and where it can't be asked, there is no end. */
const diskLeft = (ctx: RoomCtx, { freeBytes }: Space) =>
  isOnDisk(ctx) && freeBytes !== null ? freeBytes - RESERVE_BYTES : Infinity

/** Writes down what has come; nobody waits for it. */
function noter(ctx: RoomCtx, id: string, lapseMs: number): (numBytes: number) => void {
  let noted = 0
  return (numBytes) => {
    if (numBytes - noted < NOTED_BYTES) return
    noted = numBytes
    void keepRoom(ctx, id, { comeBytes: numBytes, lapseMs }).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'what has come of an upload was not written down'),
    )
  }
}

/** Its room is free again; where that cannot be written down, when it lapses. */
export async function releaseRoom({ db, log }: Pick<RoomCtx, 'db' | 'log'>, id: string): Promise<void> {
  await deleteRoom(db, id).catch((error: unknown) =>
    log.warn({ err: error }, 'the room of an upload was not given back'),
  )
}

/** An upload goes on; false for one that is not there, or has lapsed. */
export async function keepRoom(
  { db, clock }: Pick<RoomCtx, 'db' | 'clock'>,
  id: string,
  { comeBytes, lapseMs = LAPSE_MS }: { comeBytes?: number; lapseMs?: number } = {},
): Promise<boolean> {
  const now = clock.now()
  const lapsesAt = new Date(now + lapseMs)
  return await updateRoom(db, {
    id,
    now: new Date(now),
    lapsesAt,
    ...(comeBytes === undefined ? {} : { comeBytes }),
  })
}
