import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { openLlm } from '../../../engines/llm/index.ts'
import { brandOf } from '../../../http/brands.ts'
import { contentPolicy, styleHashes } from '../../../http/headers.ts'
import { serverPage } from '../../../http/page.ts'
import { languageOf } from '../../../http/route.ts'
import { checkoutOf } from '../entitlements/index.ts'
import { isOnFreePlan, planIdOf } from '../subscriptions/index.ts'
import { pricingPage } from './pricing.page.ts'
import { scriptHash } from './pricing.script.ts'

/** Plans and prices of the brand that is shown, for whoever comes; only the enterprise edition sells anything. */
export function registerPricing(app: FastifyInstance, ctx: Ctx): void {
  const hasModel = openLlm(ctx.config) !== null
  serverPage(app, { path: '/ent_pub/pricing/', callers: ['anyone'] }, async (request, reply) => {
    if (!ctx.config.IS_ENT) return await app.showPage(request, reply)
    const { principal } = request
    const isSignedIn = principal.kind === 'user'
    const planId = isSignedIn ? await planIdOf(ctx, principal.userId) : null
    const page = pricingPage({
      brand: brandOf(request, ctx),
      prefix: request.edge.prefix,
      language: languageOf(request),
      isSignedIn,
      hasPlan: planId !== null,
      mayBuy: isSignedIn && isOnFreePlan(planId),
      checkout: checkoutOf(ctx.config),
      maySignUp: ctx.config.ACCOUNT_ALLOW_SIGN_UP,
      hasModel,
    })
    const policy = contentPolicy(ctx.config, {
      scripts: [scriptHash],
      styles: styleHashes(page.markup),
    })
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page.markup)
  })
}
