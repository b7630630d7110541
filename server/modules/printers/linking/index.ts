import { listAddresses } from '@vigil/contract/printers/addresses.ts'
import * as api from '@vigil/contract/printers/linking.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { addressesFor } from './addresses.service.ts'
import { openCode, readCode, verify } from './codes.service.ts'
import { linkSockets } from './link.sockets.ts'
import { readProducts } from './products.service.ts'
import { listDiscovered, matchPasscode, poll, queueHandshake } from './discovery.service.ts'

/** Ways to link a printer: 6-digit code, one-time passcode, discovery (docs/wire/agents.md 2.1, 2.3). */
export function registerLinking(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.getCode, ({ principal, edge, query }) =>
    openCode(ctx, {
      principal,
      edge,
      printerId: query.printer_id ?? null,
      account: query.account ?? null,
    }),
  )
  route(app, api.pollCode, ({ principal, edge, params }) => readCode(ctx, principal, edge, params.id))
  route(app, api.matchPasscode, async ({ principal, body }) => {
    await matchPasscode(ctx, principal, { passcode: body.one_time_passcode, code: body.verification_code })
    return { detail: 'OK' }
  })
  route(app, api.listDiscovered, ({ edge }) => listDiscovered(ctx, edge))
  route(app, api.autoLink, async ({ principal, edge, body }) => {
    await queueHandshake(ctx, { principal, edge }, body)
    return { queued: true as const }
  })
  route(app, listAddresses, ({ edge, query }) => addressesFor(ctx, edge, query.at))
  route(app, api.listWizardProducts, () => readProducts(ctx))
  route(app, api.announce, ({ edge, body }) => poll(ctx, edge, body))
  for (const endpoint of [api.verifyCode, api.verifyCodeLegacy] as const)
    route(app, endpoint, ({ edge, query, body }) => verify(ctx, edge, query.code ?? body.code))
  route(app, api.verifyCodeByGet, ({ edge, query }) => verify(ctx, edge, query.code))
  linkSockets(app, ctx)
}
