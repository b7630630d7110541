import * as contract from '@vigil/contract/people/tokens.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { requireProof } from '../proof/proof.service.ts'
import { listTokens, makeToken, presentToken, revokeToken, type TokenRow } from '../accounts/index.ts'

const DAY_MS = 24 * 3_600_000

const present = (row: TokenRow): contract.ApiKey => ({
  ...presentToken(row),
  name: row.application,
  hint: row.hint,
})

/** API keys: made and named by their user, shown once, revoked (docs/rules/slice.md). */
export function registerApiKeys(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.listApiKeys, async ({ principal: { userId } }) =>
    (await listTokens(ctx, userId, 'key')).map(present),
  )
  route(app, contract.createApiKey, async ({ principal, body: { name, printer_id: wanted, days } }) => {
    await requireProof(ctx, principal)
    const printer = wanted == null ? null : await requirePrinter(ctx, principal, wanted, 'control')
    const { token, row } = await makeToken(ctx, {
      userId: principal.userId,
      kind: 'key',
      scope: 'slicer',
      application: name,
      printerId: printer?.id ?? null,
      expiresAt: days == null ? null : new Date(ctx.clock.now() + days * DAY_MS),
    })
    return { ...present(row), key: token }
  })
  route(app, contract.revokeApiKey, async ({ principal: { userId }, params }) => {
    await revokeToken(ctx, userId, params.id, 'key')
    return null
  })
}
