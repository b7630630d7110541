import * as contract from '@vigil/contract/people/tokens.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { listTokens, presentToken, revokeByToken, revokeToken } from '../accounts/index.ts'
import { authorizePages } from './authorize.pages.ts'
import { resultPage } from './result.page.ts'
import { tokenRoutes } from './token.routes.ts'

/** How slicers are let into an account, and shut out again (docs/rules/slice.md). */
export function registerOAuth(app: FastifyInstance, ctx: Ctx): void {
  authorizePages(app, ctx)
  resultPage(app, ctx)
  tokenRoutes(app, ctx)
  route(app, contract.revokeByToken, async ({ body, edge }) => {
    await revokeByToken(ctx, body.token, edge.address)
    return {}
  })
  route(app, contract.listAuthorizedApps, async ({ principal: { userId } }) =>
    (await listTokens(ctx, userId, 'app')).map((row) => ({ ...presentToken(row), app: row.application })),
  )
  route(app, contract.revokeAuthorizedApp, async ({ principal: { userId }, params }) => {
    await revokeToken(ctx, userId, params.id, 'app')
    return null
  })
}
