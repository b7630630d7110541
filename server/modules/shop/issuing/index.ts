import * as contract from '@vigil/contract/shop/coupons.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { writeAudit } from '../../core/events/index.ts'
import { requireAdmin } from '../../people/accounts/index.ts'
import { canBeMade, listBatches, makeCodes } from '../coupons/index.ts'

/** Codes made in bulk by administrators, told once. Only the enterprise edition has any. */
export function registerIssuing(app: FastifyInstance, ctx: Ctx): void {
  const needEnterprise = () => {
    if (!ctx.config.IS_ENT) throw notFound()
  }
  route(app, contract.listBatches, async (call) => {
    await requireAdmin(ctx, call)
    needEnterprise()
    return { batches: await listBatches(ctx), brands: ctx.config.brands.map(brandOf) }
  })
  route(app, contract.makeCodes, async (call) => {
    const { userId } = await requireAdmin(ctx, call)
    needEnterprise()
    const { expires_at: end, ...wish } = call.body
    const { brands } = ctx.config
    const brand = brands.find(({ name }) => name === wish.brand)
    if (brand === undefined) throw wrong('brand', 'noBrand')
    const known = brandOf(brand).offers.some(({ offer }) => offer === wish.offer)
    if (wish.offer !== null && !known) throw wrong('offer', 'noOffer')
    const expiresAt = end === null ? null : new Date(end)
    if (expiresAt !== null && expiresAt.getTime() <= ctx.clock.now()) throw wrong('expires_at', 'isOver')
    const codes = await makeCodes(ctx, { ...wish, expiresAt })
    const detail = { ...wish, expires_at: end }
    await writeAudit(ctx, {
      actor: 'admin',
      userId,
      action: 'admin.codes_made',
      detail,
    })
    return { codes }
  })
}

const wrong = (field: string, key: string) => invalid({ [field]: text('coupons-server', key) })

/** What a brand can give away. */
const brandOf = ({ name, display_name, plans }: Ctx['config']['brands'][number]) => ({
  name,
  display_name,
  offers: plans.partners.flatMap((partner) =>
    partner.offers.filter(canBeMade).map(({ offer }) => ({ offer, partner: partner.display_name })),
  ),
})
