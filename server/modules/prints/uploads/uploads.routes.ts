import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { uploadTimelapse, uploadTimelapseApi, UPLOAD_BYTES } from '@vigil/contract/prints/uploads.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { lockList } from '../../../engines/db/transaction.ts'
import { AppError, throttled } from '../../../http/errors.ts'
import { movedPage } from '../../../http/pages.ts'
import { resumable } from '../../../http/resumable.ts'
import {
  upload,
  type UploadHandler,
  type UploadRules,
  type Place,
  type Stored,
} from '../../../http/upload.ts'
import type { UserId } from '../../../lib/id.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import { presentOwnPrint, PRINT_ENDED } from '../prints/index.ts'
import * as queries from './uploads.queries.ts'
import { kindOfFilm, SNIFFED_BYTES } from './uploads.rules.ts'

const DAY_MS = 86_400_000

/** Where an upload goes. Raises 429 when the owner has uploaded as many today as the plan allows. */
async function placeOf(ctx: Ctx, userId: UserId): Promise<Place> {
  await refuseMany(ctx, userId)
  const path = `uploads/${userId}/${randomBytes(16).toString('hex')}`
  return { ref: { container: 'tsd-timelapses', path }, maxBytes: UPLOAD_BYTES }
}

/**
 * A film has come: a print without a printer begins, whose time-lapse is made of it. Returns its id. Raises 415 for what is
 * no film by its name or its first bytes, 429.
 */
async function takeUpload(
  ctx: Ctx,
  userId: UserId,
  { ref, filename, numBytes }: Stored,
  said: { readonly filename?: string | undefined; readonly print_seconds?: number | undefined },
): Promise<number> {
  const name = (filename || said.filename || '').replace(/^.*[\\/]/, '').slice(0, 1000)
  const head = await ctx.files.get(ref, { start: 0, end: SNIFFED_BYTES - 1 })
  const kind = head && kindOfFilm(name, await buffer(head))
  if (!kind) throw new AppError(415, { detail: '*.mp4 or *.mpg files only. Up to 100MB each.' })
  const now = ctx.clock.now()
  return await ctx.db.transaction().execute(async (tx) => {
    await lockList(tx, 'uploadsOfUser', userId)
    await refuseMany({ ...ctx, db: tx }, userId)
    const printId = await queries.insertUpload(tx, {
      userId,
      filename: name,
      uploadedAt: new Date(now),
      source: JSON.stringify(ref),
      sourceSeconds: said.print_seconds ?? null,
      fileBytes: numBytes,
    })
    await ctx.jobs.enqueue(tx, PRINT_ENDED, { printId }, { owner: userId })
    return printId
  })
}

async function refuseMany(ctx: Ctx, userId: UserId): Promise<void> {
  const now = ctx.clock.now()
  const { times, ...account } = await queries.findUploads(ctx.db, userId, new Date(now - DAY_MS))
  const most = entitlementsOf(ctx, account).timelapseUploadsPerDay
  const oldest = times[times.length - most]
  if (oldest !== undefined) throw throttled(Math.ceil((oldest.getTime() + DAY_MS - now) / 1000))
}

/** Films of prints that were made elsewhere: whole, or in parts that can be resumed. */
export function uploadRoutes(app: FastifyInstance, ctx: Ctx): void {
  for (const endpoint of [uploadTimelapse, uploadTimelapseApi]) {
    const rules: UploadRules<typeof endpoint> = { place: ({ principal }) => placeOf(ctx, principal.userId) }
    const take: UploadHandler<typeof endpoint> = async ({ principal, body, edge }, stored) => {
      const printId = await takeUpload(ctx, principal.userId, stored, body)
      return await presentOwnPrint(ctx, { principal, edge }, printId)
    }
    upload(app, ctx, endpoint, rules, take)
    resumable(app, ctx, endpoint, { ...rules, container: 'tsd-timelapses' }, take)
  }

  // Where the page stood once.
  movedPage(app, '/prints/upload/', '/ent/timelapse_upload/')
}
