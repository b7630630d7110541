import * as api from '@vigil/contract/shop/payments.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { BillingTrouble } from '../../../engines/billing/index.ts'
import { badRequest, notFound } from '../../../http/errors.ts'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { serverPage } from '../../../http/page.ts'
import { Json, languageOf, route } from '../../../http/route.ts'
import type { UserId } from '../../../lib/id.ts'
import { activeOf } from '../subscriptions/index.ts'
import { cancelPlan, changePlan, previewChange, resumePlan } from './change.service.ts'
import { backTo, type Buyer, openPackCheckout, openPlanCheckout, openPortal } from './checkout.service.ts'
import { followCheckout } from './follow.service.ts'
import { receive } from './news.service.ts'
import type { Shop } from './payments.jobs.ts'
import { findCheckout } from './payments.queries.ts'
import { Refusal } from './refusals.ts'
import { paymentsOf } from './refunds.service.ts'

const homeOf = ({ edge }: FastifyRequest) => edge.origin + edge.prefix

const buyerOf = (request: FastifyRequest, { userId }: { userId: UserId }): Buyer => ({
  userId,
  language: languageOf(request),
  home: homeOf(request),
})

interface Asked {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** A phone, which goes there itself. */
  readonly isRedirected: boolean
}

/** Answers with a page, or leads there: whom it leads is a person, who is told on a page why there is none. */
async function lead<T extends { readonly url: string }>(
  { request, reply, isRedirected }: Asked,
  open: () => Promise<T>,
): Promise<T | Json<T>> {
  if (!isRedirected) return await open()
  const to = await open().catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    const why = new URLSearchParams({ refused: error.reason }).toString()
    return { url: `${homeOf(request)}/user_preferences/subscription/?${why}` }
  })
  reply.redirect(to.url, 302)
  return new Json<T>('')
}

/** Checkout, portal and changes of plans, for who buys; what their provider tells. */
export function paymentRoutes(app: FastifyInstance, ctx: Ctx, shop: Shop | null): void {
  const selling = (): Shop => {
    if (!ctx.config.IS_ENT) throw notFound()
    if (shop === null) throw new Refusal('not_set_up')
    return shop
  }
  buying(app, selling)
  changing(app, ctx, selling)
  route(app, api.listPayments, async ({ principal }) => {
    if (!ctx.config.IS_ENT) throw notFound()
    return await paymentsOf(ctx, principal.userId)
  })
  route(app, api.billingWebhook, async ({ raw, request }) => {
    if (shop === null) throw notFound()
    await receive(shop, raw, request.headers).catch((error: unknown) => {
      throw error instanceof BillingTrouble ? badRequest('Invalid signature.') : error
    })
    return { received: true } as const
  })
}

function buying(app: FastifyInstance, selling: () => Shop): void {
  route(app, api.getProCheckout, async ({ principal, query, request, reply }) =>
    lead({ request, reply, isRedirected: query.redirect }, async () =>
      openPlanCheckout(selling(), buyerOf(request, principal), query),
    ),
  )
  route(app, api.postProCheckout, async ({ principal, body, request, reply }) =>
    lead({ request, reply, isRedirected: body.redirect }, async () =>
      openPlanCheckout(selling(), buyerOf(request, principal), body),
    ),
  )
  route(app, api.getPackCheckout, async ({ principal, query, request, reply }) =>
    lead({ request, reply, isRedirected: query.redirect }, async () =>
      openPackCheckout(selling(), buyerOf(request, principal), query.dhpack_level),
    ),
  )
  route(app, api.getPortalSession, async ({ principal, query, request, reply }) =>
    lead({ request, reply, isRedirected: query.redirect }, async () =>
      openPortal(selling(), buyerOf(request, principal)),
    ),
  )
  serverPage(app, { path: '/ent/checkout/:token/', callers: ['anyone'] }, async (request, reply) => {
    const { token } = fieldsOf(request.params)
    const state = typeof token === 'string' ? await cameBack(selling(), token.slice(0, 100)) : 'open'
    return reply.redirect(backTo(homeOf(request), state), 302)
  })
}

/** A buyer is back: what came of it is looked at now, without waiting for news. */
async function cameBack(shop: Shop, id: string): Promise<string> {
  const checkout = await findCheckout(shop.db, id)
  if (checkout?.providerId == null) return 'open'
  await followCheckout(shop, checkout.providerId).catch((error: unknown) =>
    shop.log.warn({ err: error }, 'a checkout could not be followed yet'),
  )
  return (await findCheckout(shop.db, id))?.state ?? 'open'
}

function changing(app: FastifyInstance, ctx: Ctx, selling: () => Shop): void {
  const changer = (request: FastifyRequest, { userId }: { userId: UserId }) => ({
    userId,
    language: languageOf(request),
  })
  route(app, api.previewChange, async ({ principal, body, request }) =>
    previewChange(selling(), changer(request, principal), body),
  )
  route(app, api.changeSubscription, async ({ principal, body, request }) => {
    await changePlan(selling(), changer(request, principal), body)
    return await activeOf(ctx, principal.userId)
  })
  route(app, api.cancelSubscription, async ({ principal, params, body }) =>
    cancelPlan(selling(), principal.userId, {
      id: params.id,
      reason: body.reason,
      code: body.reason_code ?? null,
    }),
  )
  route(app, api.resumeSubscription, async ({ principal, params }) =>
    resumePlan(selling(), principal.userId, params.id),
  )
}
