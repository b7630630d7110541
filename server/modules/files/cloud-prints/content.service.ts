import { fieldsOf } from '@vigil/contract/fields.ts'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { forbidden, notFound } from '../../../http/errors.ts'
import { type Content, stream } from '../../../http/stream.ts'
import { byKnownKey, currentKey } from '../../../lib/keyring.ts'
import { signMedia, verifyMedia } from '../../../lib/signing.ts'
import { findOwnFile } from '../gcode-files/index.ts'
import { tell } from '../../core/presence/index.ts'
import { type CloudPrintRow, findCloudPrint, updateCloudPrint } from './cloud-prints.queries.ts'

/** How long an address may be used to begin with: agents begin at once. */
export const ADDRESS_MS = 60_000
/** How often it is written down how far a download has come. */
const NOTE_EVERY_MS = 1_000
const FETCHABLE: CloudPrintRow['state'][] = ['sending', 'sent', 'downloading', 'storing']

type Signed = Pick<CloudPrintRow, 'id' | 'printerId' | 'addressUntil'>

const signed = ({ id, printerId }: Pick<Signed, 'id' | 'printerId'>) => `cloud_prints/${printerId}/${id}`
const secondsOf = ({ addressUntil }: Pick<Signed, 'addressUntil'>) => addressUntil.getTime() / 1000

/**
 * The address at which a printer's agent fetches the file of this hand-over; `base` is how that agent reaches us. It is good for
 * this printer, for a minute to begin with, and then until the file is whole.
 */
export function addressOf(ctx: Pick<Ctx, 'config'>, row: Signed, base: string): string {
  const digest = signMedia(currentKey(ctx.config).secret, signed(row), secondsOf(row))
  const query = `printer=${row.printerId}&expires=${secondsOf(row)}&digest=${digest}`
  return `${base}/api/v1/cloud_prints/${row.id}/content/?${query}`
}

/** `GET /api/v1/cloud_prints/{id}/content/`: the file, to the agent that was told this address. */
export function contentRoutes(app: FastifyInstance, ctx: Ctx): void {
  stream(app, { path: '/api/v1/cloud_prints/:id/content/', callers: ['anyone'] }, async ({ request }) =>
    contentFor(ctx, request),
  )
}

const refused = () => forbidden('This link is wrong or has expired.')

async function contentFor(ctx: Ctx, request: FastifyRequest): Promise<Content> {
  const row = await admit(ctx, request)
  const file = row.gCodeFileId === null ? null : await findOwnFile(ctx.db, row.userId, row.gCodeFileId)
  const ref = file?.content ?? null
  const stat = ref && (await ctx.files.stat(ref))
  if (ref === null || stat === null || stat.numBytes !== row.numBytes) throw notFound()
  return {
    ...stat,
    etag: `"${row.id}-${row.numBytes}"`,
    // An agent of today takes what has come for the whole when a length was told and the line is cut; chunks say when they end.
    isLengthUntold: true,
    headers: { 'cache-control': 'no-store', 'content-type': 'application/octet-stream' },
    open: async (part) => await openPart(ctx, row, ref, part),
  }
}

/** The hand-over that an address is for: signed for its printer, begun in time, and not over. Raises 403. */
async function admit(ctx: Ctx, request: FastifyRequest): Promise<CloudPrintRow> {
  const { id } = fieldsOf(request.params)
  const { printer, expires, digest } = fieldsOf(request.query)
  if (typeof digest !== 'string' || typeof id !== 'string' || !/^\d{1,9}$/.test(id)) throw refused()
  const row = await findCloudPrint(ctx.db, Number(id))
  if (row === null || String(row.printerId) !== printer || String(secondsOf(row)) !== expires) throw refused()
  const isBegun = row.state === 'downloading'
  const now = isBegun ? 0 : ctx.clock.now()
  const given = { path: signed(row), expiresAt: secondsOf(row), digest, now }
  if (!byKnownKey(ctx.config, (secret) => verifyMedia(secret, given))) throw refused()
  if (row.endedAt !== null || !FETCHABLE.includes(row.state)) throw refused()
  return row
}

async function openPart(
  ctx: Ctx,
  row: CloudPrintRow,
  ref: MediaRef,
  part: { start: number; end: number } | undefined,
): Promise<Readable | null> {
  const now = new Date(ctx.clock.now())
  const begun = await updateCloudPrint(ctx.db, row.id, FETCHABLE, {
    state: 'downloading',
    fetchedAt: now,
    cutAt: null,
  })
  if (begun === null) throw refused()
  tell(ctx, row.printerId, 'changed')
  const source = await ctx.files.get(ref, part)
  return source && Readable.from(counted(ctx, row, source, part?.start ?? 0), { objectMode: false })
}

/** Passes a file on and notes how far it has come: whole, or cut off. */
async function* counted(
  ctx: Ctx,
  row: CloudPrintRow,
  source: Readable,
  from: number,
): AsyncGenerator<Buffer> {
  let sent = from
  let notedAt = ctx.clock.monotonic()
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      yield chunk
      sent += chunk.length
      if (ctx.clock.monotonic() - notedAt < NOTE_EVERY_MS) continue
      notedAt = ctx.clock.monotonic()
      note(ctx, row, { bytesSent: sent })
    }
  } finally {
    const isWhole = sent >= row.numBytes
    const at = new Date(ctx.clock.now())
    note(ctx, row, {
      bytesSent: sent,
      ...(isWhole ? { state: 'storing' } : { cutAt: at }),
    })
  }
}

/** Nobody waits for it: a database that is away holds up no download. */
function note(
  ctx: Ctx,
  { id, printerId }: CloudPrintRow,
  values: { bytesSent: number; state?: string; cutAt?: Date },
): void {
  updateCloudPrint(ctx.db, id, ['downloading'], { ...values, fetchedAt: new Date(ctx.clock.now()) })
    .then((row) => row && tell(ctx, printerId, 'changed'))
    .catch((error: unknown) =>
      ctx.log.warn({ err: error, printerId }, 'how far a download has come was not written down'),
    )
}
