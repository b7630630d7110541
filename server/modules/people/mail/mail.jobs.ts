import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { LetterRefused } from '../../../engines/mail/port.ts'
import { deleteMails, endMail, findWaiting, insertMail, noteFailure, findHome } from './mail.queries.ts'
import { composeMail, type MailOrder } from './mail.service.ts'
import { templateNamed } from './mail.templates.ts'
import { textOf } from '../../../lib/thrown.ts'

const DAY_MS = 24 * 3_600_000
const KEPT_MS = 30 * DAY_MS
const NO_HOME = 'its links would lead nowhere, set PUBLIC_URL or sign in as an administrator'
/** A mail server may be away for an hour and a half, or put off whom it does not know: 5 s, 10 s, … 43 minutes. */
const SEND_MAIL: JobKind<{ key: string }> = {
  name: 'mail',
  schema: z.object({ key: z.string() }),
  retries: 10,
  timeoutMs: 120_000,
}

/**
 * Has a job send a letter, once for each `key`, in the transaction of the caller: both happen or neither. None is sent while nobody
 * has said where its links lead; it is given up after `goodForMs` (a day unless given).
 */
export async function sendMail<T>(
  { db, jobs, clock }: Pick<Ctx, 'db' | 'jobs' | 'clock'>,
  { userId, to, template, data, key, goodForMs = DAY_MS }: MailOrder<T> & { readonly goodForMs?: number },
): Promise<void> {
  const now = clock.now()
  const isNew = await insertMail(db, {
    key,
    userId,
    address: to,
    template: template.name,
    data: JSON.stringify(template.schema.parse(data)),
    createdAt: new Date(now),
    expiresAt: new Date(now + goodForMs),
  })
  if (isNew) await jobs.enqueue(db, SEND_MAIL, { key })
}

async function deliver(ctx: Ctx, key: string, signal: AbortSignal): Promise<void> {
  const { db, clock, mail } = ctx
  const row = await findWaiting(db, key)
  const template = row && templateNamed(row.template)
  if (row === undefined || template === undefined) return
  const end = (state: 'sent' | 'refused' | 'expired', outcome: string | null) =>
    endMail(db, key, { state, outcome, now: new Date(clock.now()) })
  if (row.expiresAt.getTime() <= clock.now()) return await end('expired', row.outcome)
  const { userId, address: to, data } = row
  if ((await findHome(ctx)) === null) {
    ctx.log.warn({ template: template.name, userId }, `a letter is not sent: ${NO_HOME}`)
    return await end('refused', NO_HOME)
  }
  const letter = await composeMail(ctx, { userId, to, template, data: template.schema.parse(data), key })
  if (letter === undefined) return
  try {
    const { response } = await mail.send(letter, signal)
    await end('sent', response)
  } catch (error) {
    const why = textOf(error)
    if (!(error instanceof LetterRefused)) {
      await noteFailure(db, key, why)
      throw error
    }
    await end('refused', why)
    ctx.log.warn({ template: template.name, userId, why }, 'the mail server refused a letter')
  }
}

/** Sends what waits; forgets, after a month, what became of it. */
export function handleMailJobs(ctx: Ctx): void {
  ctx.jobs.handle(SEND_MAIL, ({ key }, signal) => deliver(ctx, key, signal))
  ctx.jobs.schedule('mails', '23 3 * * *', async () => {
    await deleteMails(ctx.db, new Date(ctx.clock.now() - KEPT_MS))
  })
}
