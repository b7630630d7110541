import * as api from '@vigil/contract/shop/coupons.ts'
import type { FastifyInstance } from 'fastify'
import type { Offer } from '../../../brands/plans.ts'
import type { Ctx } from '../../../ctx.ts'
import { brandOf } from '../../../http/brands.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { findRedeemed } from './coupons.queries.ts'
import { looksLike, offerLike, offerNamed } from './coupons.rules.ts'
import { presentCoupon, redeemHours, redeemPlan } from './coupons.service.ts'

export { type CodesWanted, listBatches, makeCodes } from './coupons.service.ts'
export { canBeMade } from './coupons.rules.ts'
export { type PaidOffer, paidOfferOf, takeCode } from './checkout.service.ts'

/** So many redeemed codes are listed. */
const LISTED = 200

/** Codes for hours and for partners' plans, each redeemed once. Only the enterprise edition has any. */
export function registerCoupons(app: FastifyInstance, ctx: Ctx): void {
  const needEnterprise = () => {
    if (!ctx.config.IS_ENT) throw notFound()
  }
  route(app, api.listHourCoupons, async ({ principal }) => {
    needEnterprise()
    return (await findRedeemed(ctx.db, principal.userId, LISTED)).map(presentCoupon)
  })
  route(app, api.redeemHourCoupon, async ({ principal, edge, body }) => {
    needEnterprise()
    return await redeemHours(ctx, { userId: principal.userId, address: edge.address }, body.code)
  })
  route(app, api.redeemOffer, async ({ principal, edge, params, body }) => {
    needEnterprise()
    const who = { userId: principal.userId, address: edge.address }
    return { subscription: await redeemPlan(ctx, who, params.offer, body.coupon_code) }
  })
  route(app, api.checkOffer, ({ request, params, query }) => {
    needEnterprise()
    const offer = offerNamed(brandOf(request, ctx).plans, params.offer)
    if (offer === undefined) throw notFound()
    const valid = looksLike(query.coupon_code, offer.codes)
    return { valid, plan: offer.plan_id, duration_months: offer.months }
  })
  route(app, api.getPartner, ({ request, params, query }) => {
    needEnterprise()
    const { partners, mobile_apps: apps } = brandOf(request, ctx).plans
    const partner = partners.find(({ name }) => name === params.partner)
    if (partner === undefined) throw notFound()
    const { name, display_name, offers } = partner
    return { partner: name, display_name, apps, offer: presentOffer(offerLike(offers, query.coupon_code)) }
  })
}

function presentOffer(found: Offer | undefined): api.PartnerOffer | null {
  if (found === undefined) return null
  const { codes: _, ...offer } = found
  return offer
}
