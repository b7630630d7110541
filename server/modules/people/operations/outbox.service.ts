import type * as contract from '@vigil/contract/people/operations.ts'
import type { Parsed } from '@vigil/contract/endpoint.ts'
import { z } from 'zod'
import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { spend } from '../../../http/limits.ts'
import { text } from '../../../http/texts.ts'
import { textOf } from '../../../lib/thrown.ts'
import { type Admin, userById } from '../accounts/index.ts'
import { composeMail, defineMail, requireMail } from '../mail/index.ts'
import { auditBoth } from '../sessions/staff-audit.service.ts'
import * as queries from './outbox.queries.ts'

const HOUR_MS = 3_600_000
const TEST_MAIL = { name: 'test-mail', tries: 20, windowMs: HOUR_MS } as const
/** A mail server may take its time; whoever looks at the page does not. */
const SEND_MS = 45_000

const say = (key: string, params?: Record<string, string>) => text('admin-server', key, params)

const testMail = defineMail({
  name: 'test-mail',
  schema: z.object({ by: z.string() }),
  samples: { usual: { by: 'admin@example.org' } },
  write: ({ by }, { brand }) => ({
    subject: say('testMailSubject', { brand: brand.display_name }),
    title: say('testMailTitle'),
    blocks: [{ kind: 'text', words: say('testMailText', { brand: brand.display_name, by }) }],
  }),
})

/** Letters and messages that nobody has accepted. */
export async function listOwed(ctx: Ctx, admin: Admin, query: Parsed<typeof contract.listOwed, 'query'>) {
  const [rows, counts] = await Promise.all([
    queries.findOwed(ctx.db, admin, query),
    queries.countOwed(ctx.db),
  ])
  return { owed: rows.map(present), counts }
}

const present = ({ userId, email, createdAt, nextAt, ...row }: queries.OwedRow): contract.Owed => ({
  ...row,
  person: { id: userId, email },
  created_at: createdAt.toISOString(),
  next_at: nextAt?.toISOString() ?? null,
  can_retry: row.channel !== 'letter',
})

/** Sends a message by a channel once more: whoever sends looks every two seconds. Raises 404 for a letter, and what is gone or accepted. */
export async function retryOwed(ctx: Ctx, admin: Admin, id: string): Promise<void> {
  const number = /^d(\d{1,15})$/.exec(id)?.[1]
  const now = ctx.clock.now()
  const until = { now: new Date(now), until: new Date(now + HOUR_MS) }
  if (number === undefined || !(await queries.hurryDelivery(ctx.db, admin, Number(number), until)))
    throw notFound()
  await auditBoth(ctx, {
    staffId: admin.userId,
    userId: null,
    action: 'message_retried',
    detail: { delivery: number },
  })
}

/** Sends a letter now, past all jobs, and tells what the mail server said to it. Raises 503 where no mail is set up, 429. */
export async function sendTestMail(
  ctx: Ctx,
  admin: Admin,
  to: string,
): Promise<{ accepted: boolean; said: string }> {
  await requireMail(ctx)
  await spend(ctx, { limit: TEST_MAIL, who: `user:${admin.userId}` })
  const by = (await userById(ctx, admin.userId))?.email ?? ''
  const order = { userId: admin.userId, to, template: testMail, data: { by }, key: `test:${randomUUID()}` }
  const letter = await composeMail(ctx, order)
  if (letter === undefined) throw notFound()
  await auditBoth(ctx, { staffId: admin.userId, userId: null, action: 'test_mail' })
  try {
    const { response } = await ctx.mail.send(letter, AbortSignal.timeout(SEND_MS))
    return { accepted: true, said: response }
  } catch (error) {
    return { accepted: false, said: textOf(error) }
  }
}
