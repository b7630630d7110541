import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { idOf, type UserId } from '../../../lib/id.ts'
import { findAccount, updateAccount } from './accounts.queries.ts'

const LOW_S = 10 * 3600

const told = z.object({
  userId: idOf<'users'>(),
  what: z.enum(['low', 'out']),
  seconds: z.int(),
  /** Of the print whose booking it was, so that its letter is sent once. */
  key: z.string(),
})

/** Few hours are left, or none: enqueued with what was booked, told by `shop/letters`. */
export const HOURS_LOW: JobKind<z.infer<typeof told>> = { name: 'hours-low', schema: told }

/** Has the owner told, once, that few hours are left, and once that none are; called in the transaction that books. */
export async function tellOfHours(
  { db, jobs }: Pick<Ctx, 'db' | 'jobs'>,
  userId: UserId,
  { before, seconds, key }: { readonly before: number; readonly seconds: number; readonly key: string },
): Promise<void> {
  const left = before - seconds
  if (left < 0 && before >= 0)
    return await jobs.enqueue(db, HOURS_LOW, { userId, what: 'out', seconds: left, key })
  if (left >= LOW_S || left < 0 || (await findAccount(db, userId))?.lowTold !== false) return
  await updateAccount(db, userId, { lowTold: true })
  await jobs.enqueue(db, HOURS_LOW, { userId, what: 'low', seconds: left, key })
}
