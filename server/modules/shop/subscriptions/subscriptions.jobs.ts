import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { idOf } from '../../../lib/id.ts'

/** What a step of a plan needs. */
export type Inside = Pick<Ctx, 'db' | 'clock' | 'config' | 'jobs'>

const step = z.object({
  userId: idOf<'users'>(),
  /** Of the step, so that its letter is sent once. */
  step: z.string(),
  letter: z.string(),
  planId: z.string().nullable(),
  endsAt: z.iso.datetime().nullable(),
})

/** A plan began, changed or ended: enqueued in the transaction of the step, told by `shop/letters`. */
export const PLAN_STEP: JobKind<z.infer<typeof step>> = { name: 'plan-step', schema: step }

/** Somebody may have more printers in use than their plan allows. */
export const SURPLUS: JobKind<{ userId: z.infer<typeof step>['userId'] }> = {
  name: 'surplus-printers',
  schema: step.pick({ userId: true }),
}
