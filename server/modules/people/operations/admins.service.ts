import type { Ctx } from '../../../ctx.ts'
import { type MailTemplate, sendMail } from '../mail/index.ts'
import { findAdmins } from './system.queries.ts'

/** What administrators are told: each once for this key. */
interface Word<T> {
  readonly template: MailTemplate<T>
  readonly data: T
  readonly key: string
}

/** Has a letter sent to each administrator, in the transaction of the caller; nothing happens where no mail is set up. */
export async function tellAdmins<T>(ctx: Ctx, { template, data, key }: Word<T>): Promise<void> {
  if (!ctx.mail.isConfigured) return
  for (const { id, email } of await findAdmins(ctx.db))
    await sendMail(ctx, { userId: id, to: email, template, data, key: `${key}:${id}` })
}
