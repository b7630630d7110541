import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { Billing } from '../../../engines/billing/index.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'

/** A server that sells. */
export type Shop = Ctx & { readonly billing: Billing }

const subject = z.object({
  kind: z.enum(['checkout', 'subscription', 'payment']),
  id: z.string().max(255),
})

/** Something has happened at the provider: it is asked how that stands now, and we follow. */
export const FOLLOW: JobKind<z.infer<typeof subject>> = {
  name: 'billing-follow',
  schema: subject,
  retries: 8,
  timeoutMs: 120_000,
}
