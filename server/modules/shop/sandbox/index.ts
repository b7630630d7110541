import { billingWebhook } from '@vigil/contract/shop/payments.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { openBilling, type Sandbox } from '../../../engines/billing/index.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { checkoutPages } from './checkout.pages.ts'
import { portalPages } from './portal.pages.ts'

/** How often the clock is looked at, and news are sent. */
const TICK_MS = 1_000

/** The sandbox's pages and its clock, where it is named: everywhere else nothing of it is there. */
export function registerSandbox(app: FastifyInstance, ctx: Ctx): void {
  const billing = openBilling(ctx)
  const sandbox = billing !== null && isSandbox(billing) ? billing : null
  checkoutPages(app, ctx, sandbox)
  portalPages(app, ctx, sandbox)
  if (sandbox === null) return
  ctx.log.warn('plans are sold by the sandbox: no money moves (BILLING)')
  everyTick(ctx, TICK_MS, async () => {
    await sandbox.turn()
    await sendNews(app, sandbox)
  })
}

const isSandbox = (billing: { readonly name: string }): billing is Sandbox => billing.name === 'sandbox'

/** Tells what has happened, as a provider does: by the webhook, signed, until it is heard. */
async function sendNews(app: FastifyInstance, sandbox: Sandbox): Promise<void> {
  for (const { id, payload, headers } of await sandbox.untold()) {
    const answer = await app.inject({
      method: 'POST',
      url: billingWebhook.path,
      headers: { ...headers, 'content-type': 'application/json' },
      payload,
    })
    if (answer.statusCode === 200) await sandbox.heard(id)
  }
}
