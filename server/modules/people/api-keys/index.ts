import * as contract from '@vigil/contract/people/tokens.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { route } from '../../../http/route.ts'
import type { PrinterId } from '../../../lib/id.ts'
import { authorizePrinters, requirePrinter } from '../../core/access/index.ts'
import { requireProof } from '../proof/proof.service.ts'
import { listTokens, makeToken, presentToken, revokeToken, type TokenRow } from '../accounts/index.ts'

const DAY_MS = 24 * 3_600_000

const present = (row: TokenRow): contract.ApiKey => ({
  ...presentToken(row),
  name: row.application,
  hint: row.hint,
  scope: contract.keyScope.parse(row.scope),
  printers: row.printers,
  last_address: row.lastAddress,
})

/** Whether it is for all printers (null), or which it is for. Raises 404 where one is not the caller's. */
async function reachOf(
  ctx: Ctx,
  principal: UserPrincipal,
  ids: readonly number[] | null | undefined,
): Promise<PrinterId[] | null> {
  if (ids == null) return null
  const wanted = [...new Set(ids)]
  const found = await authorizePrinters(ctx, principal, wanted, 'edit', { isOwn: true })
  if (found.length < wanted.length) throw notFound()
  return found.map(({ id }) => id)
}

/** API keys: made and named by their user, shown once, revoked (docs/rules/people.md 15). */
export function registerApiKeys(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.listApiKeys, async ({ principal: { userId } }) =>
    (await listTokens(ctx, userId, 'key')).map(present),
  )
  route(app, contract.createApiKey, async ({ principal, body }) => {
    const { name, printer_id: wanted, days, scope } = body
    await requireProof(ctx, principal)
    const printer =
      wanted == null ? null : await requirePrinter(ctx, principal, wanted, 'control', { isOwn: true })
    const { token, row } = await makeToken(ctx, {
      userId: principal.userId,
      kind: 'key',
      scope,
      application: name,
      printerId: printer?.id ?? null,
      printerIds: await reachOf(ctx, principal, body.printer_ids),
      expiresAt: days == null ? null : new Date(ctx.clock.now() + days * DAY_MS),
    })
    return { ...present(row), key: token }
  })
  route(app, contract.revokeApiKey, async ({ principal: { userId }, params }) => {
    await revokeToken(ctx, userId, params.id, 'key')
    return null
  })
}
