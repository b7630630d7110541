import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import { LetterRefused } from '../../../engines/mail/port.ts'
import { type Id, idOf } from '../../../lib/id.ts'
import { letterTo } from '../../people/mail/index.ts'
import { supportLetter } from './support.mails.ts'
import { deleteOld, findRequest, insertRequest, noteSent, type SupportRequest } from './support.queries.ts'

const KEPT_MS = 90 * 24 * 3_600_000

/** A mail server may be away for an hour and a half. */
const SEND: JobKind<{ id: Id<'supportRequests'> }> = {
  name: 'support-request',
  schema: z.object({ id: idOf<'supportRequests'>() }),
  retries: 10,
  timeoutMs: 120_000,
}

/** Keeps what somebody has written, and has it sent: both or neither. */
export async function askSupport(ctx: Ctx, request: SupportRequest): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const id = await insertRequest(tx, { ...request, createdAt: new Date(ctx.clock.now()) })
    await ctx.jobs.enqueue(tx, SEND, { id })
  })
}

async function deliver(ctx: Ctx, id: Id<'supportRequests'>, signal: AbortSignal): Promise<void> {
  const row = await findRequest(ctx.db, id)
  const to = ctx.config.SUPPORT_EMAIL
  if (row === undefined || to === undefined) return
  const data = {
    message: row.message,
    email: row.email ?? '',
    account: row.userId === null ? '' : String(row.userId),
    chat: row.chat ?? '',
  }
  // Whoever supports the server reads its first language.
  const reader = { brand: row.brand, language: 'en' as const, signedInAt: row.signedInAt, unsubToken: '' }
  const letter = letterTo(ctx, reader, { to, template: supportLetter, data, key: `support:${id}` })
  const headers = row.email === null ? {} : { headers: { 'Reply-To': row.email } }
  try {
    await ctx.mail.send({ ...letter, ...headers }, signal)
  } catch (error) {
    if (!(error instanceof LetterRefused)) throw error
    ctx.log.error(
      { why: error.message, supportRequestId: id },
      'the mail server refuses letters to SUPPORT_EMAIL',
    )
    return
  }
  await noteSent(ctx.db, id, new Date(ctx.clock.now()))
}

/** Sends what waits, once each; forgets it after three months. */
export function handleSupportJobs(ctx: Ctx): void {
  ctx.jobs.handle(SEND, ({ id }, signal) => deliver(ctx, id, signal))
  ctx.jobs.schedule('support-requests', '28 3 * * *', () =>
    deleteOld(ctx.db, new Date(ctx.clock.now() - KEPT_MS)),
  )
}
