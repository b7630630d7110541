import { randomBytes } from 'node:crypto'
import type { Archive } from '@vigil/contract/people/leaving.ts'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { forbidden, notFound } from '../../../http/errors.ts'
import { spend } from '../../../http/limits.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { Content } from '../../../http/stream.ts'
import { idOf, type UserId } from '../../../lib/id.ts'
import { storedContent } from '../../core/media/index.ts'
import { tellAlways, timeFor } from '../emails/index.ts'
import { requireProof } from '../proof/proof.service.ts'
import { LIMITS } from '../users/users.rules.ts'
import { writeArchive } from './archive.service.ts'
import * as queries from './exports.queries.ts'
import { archiveReady } from './leaving.mails.ts'

const GOOD_FOR_MS = 48 * 3_600_000
/** All tries are over by then; one that a server took with it left no word. */
const MADE_WITHIN_MS = 48 * 3_600_000
/** How far it is, is written at most so often. */
const NOTED_MS = 1_000

const exported = z.object({ userId: idOf<'users'>() })

/** Makes somebody's archive; those of several people one after the other, so that a large one costs the others no more than its disk. */
export const EXPORT: JobKind<z.infer<typeof exported>> = {
  name: 'account-export',
  schema: exported,
  concurrency: 1,
  retries: 2,
  timeoutMs: 6 * 3_600_000,
}

/** Has an archive made; one that is being made goes on. Raises 403 when it was not shown lately whose the session is, 429. */
export async function askExport(ctx: Ctx, principal: UserPrincipal): Promise<Archive> {
  const { userId, sessionId } = principal
  if (sessionId === null) throw forbidden()
  await requireProof(ctx, principal)
  const old = await queries.findExport(ctx.db, userId)
  if (old === undefined || !isBeingMade(old)) {
    await spend(ctx, { limit: LIMITS.exported, who: `user:${userId}` })
    await ctx.db.transaction().execute(async (db) => {
      const askedAt = new Date(ctx.clock.now())
      if (await queries.insertExport(db, { userId, sessionId, askedAt }))
        await ctx.jobs.enqueue(db, EXPORT, { userId }, { singletonKey: String(userId), owner: userId })
    })
    if (old?.content) await ctx.files.remove(old.content)
  }
  const row = await queries.findExport(ctx.db, userId)
  if (row === undefined) throw notFound()
  return present(row, principal)
}

const isBeingMade = ({ state }: queries.ExportRow) => state === 'waiting' || state === 'running'

/** An archive as its owner sees it. */
export const present = (row: queries.ExportRow, { sessionId }: UserPrincipal): Archive => ({
  state: row.state,
  done: row.done,
  total: row.total,
  missing: row.missing,
  num_bytes: row.numBytes,
  asked_at: row.askedAt.toISOString(),
  expires_at: row.expiresAt?.toISOString() ?? null,
  is_here: row.sessionId !== null && row.sessionId === sessionId,
})

/** The archive itself, for the session in which it was asked for, until its time is over; else it is not there. */
export async function exportContent(ctx: Ctx, { userId, sessionId }: UserPrincipal): Promise<Content> {
  const row = await queries.findExport(ctx.db, userId)
  if (row?.content == null || row.expiresAt === null || row.expiresAt.getTime() <= ctx.clock.now())
    throw notFound()
  if (sessionId === null || row.sessionId !== sessionId) throw notFound()
  const content = await storedContent(ctx, row.content, 'private, no-store')
  const name = `vigil-${row.askedAt.toISOString().slice(0, 10)}.zip`
  return {
    ...content,
    headers: { ...content.headers, 'content-disposition': `attachment; filename="${name}"` },
  }
}

/** Makes the archive, and tells its owner that it is ready. What fails is said; what was stopped is tried again. */
export async function runExport(ctx: Ctx, userId: UserId, signal: AbortSignal): Promise<void> {
  const row = await queries.findExport(ctx.db, userId)
  if (row === undefined || !isBeingMade(row)) return
  const to: MediaRef = {
    container: 'tsd-timelapses',
    path: `exports/${userId}/${randomBytes(16).toString('base64url')}.zip`,
  }
  await queries.noteExport(ctx.db, userId, { state: 'running' })
  let notedAt = ctx.clock.monotonic()
  try {
    const numBytes = await writeArchive(ctx, to, {
      userId,
      signal,
      progress: async (counts) => {
        const now = ctx.clock.monotonic()
        if (counts.done < counts.total && now - notedAt < NOTED_MS) return
        notedAt = now
        await queries.noteExport(ctx.db, userId, { ...counts })
      },
    })
    await ready(ctx, userId, { content: to, numBytes })
  } catch (error) {
    await ctx.files.remove(to)
    if (signal.aborted) throw error
    ctx.log.error({ err: error, userId }, 'an archive could not be made')
    await queries.noteExport(ctx.db, userId, { state: 'failed' })
  }
}

async function ready(ctx: Ctx, userId: UserId, made: { content: MediaRef; numBytes: number }): Promise<void> {
  const now = ctx.clock.now()
  const expiresAt = new Date(now + GOOD_FOR_MS)
  const isWanted = await ctx.db.transaction().execute(async (db) => {
    const isEnded = await queries.endExport(db, userId, { ...made, readyAt: new Date(now), expiresAt })
    if (isEnded)
      await tellAlways(
        { ...ctx, db },
        {
          userId,
          template: archiveReady,
          key: `archive:${userId}:${now}`,
          data: (reader) => ({ email: reader.email, at: timeFor(expiresAt.getTime(), reader) }),
        },
      )
    return isEnded
  })
  if (!isWanted) await ctx.files.remove(made.content)
}

/** Removes archives whose time is over, and gives up those that nobody makes any more. */
export async function removeOldExports(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  await queries.giveUpExports(ctx.db, new Date(now - MADE_WITHIN_MS))
  for (const { content } of await queries.deleteOldExports(ctx.db, new Date(now)))
    if (content) await ctx.files.remove(content)
}
