import type { Payment } from '@vigil/contract/shop/payments.ts'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { paymentsOf, refundPayment } from '../../shop/payments/index.ts'
import type { Admin } from '../accounts/index.ts'
import { requireProof } from '../proof/proof.service.ts'
import { auditBoth } from '../sessions/staff-audit.service.ts'
import { requirePerson } from './directory.service.ts'

/** What somebody has paid and was given back. Raises 404, also in the general edition, which sells nothing. */
export async function personPayments(ctx: Ctx, admin: Admin, id: number): Promise<Payment[]> {
  if (!ctx.config.IS_ENT) throw notFound()
  return await paymentsOf(ctx, (await requirePerson(ctx, admin, id)).id)
}

interface Wish {
  readonly id: number
  readonly payment: number
  readonly endPlan: boolean
}

/** Gives a payment back. Raises 403 until it was shown who asks, 404, 409 when the time for it is over, 503 where its provider is away. */
export async function refundPerson(
  ctx: Ctx,
  { admin, principal }: { readonly admin: Admin; readonly principal: UserPrincipal },
  { id, payment, endPlan }: Wish,
): Promise<Payment[]> {
  if (!ctx.config.IS_ENT) throw notFound()
  await requireProof(ctx, principal)
  const person = await requirePerson(ctx, admin, id)
  const { cents, currency } = await refundPayment(ctx, person.id, { payment, endPlan })
  const act = { staffId: admin.userId, userId: person.id, action: 'refunded' }
  await auditBoth(ctx, { ...act, detail: { payment, cents, currency, end_plan: endPlan } })
  return await paymentsOf(ctx, person.id)
}
