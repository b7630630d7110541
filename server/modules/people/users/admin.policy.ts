import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { forbidden } from '../../../http/errors.ts'
import type { Principal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import { blockListOf, isListed } from '../../../lib/addresses.ts'
import { keptBy } from '../../../lib/of-server.ts'
import { meansOf } from '../proof/proof.service.ts'
import { findUser } from './users.queries.ts'

declare const administers: unique symbol

/** An administrator of this server; {@link requireAdmin} alone makes one. */
export interface Admin {
  readonly userId: UserId
  readonly [administers]: true
}

const networksOf = keptBy(({ ADMIN_IP_WHITELIST: networks }: Ctx['config']) =>
  networks.length === 0 ? null : blockListOf(networks),
)

/** Whether this server may be administered from an address: from any, unless `ADMIN_IP_WHITELIST` names some. */
export function mayAdminister({ config }: Pick<Ctx, 'config'>, { address }: Edge): boolean {
  const networks = networksOf(config)
  return networks === null || isListed(networks, address)
}

/**
 * Whoever asks, if an administrator (`./vigil user add --admin`) at an address from which this server may be administered, and with a
 * second factor where `ADMIN_SECOND_FACTOR` wants one; raises 403 for everyone else.
 */
export async function requireAdmin(
  ctx: Pick<Ctx, 'db' | 'config'>,
  { principal, edge }: { readonly principal: Principal; readonly edge: Edge },
): Promise<Admin> {
  const user = principal.kind === 'user' ? await findUser(ctx.db, principal.userId) : undefined
  if (!user?.isActive || !user.isStaff) throw forbidden(text('accounts-server', 'onlyAdmins'))
  if (!mayAdminister(ctx, edge)) throw forbidden(text('accounts-server', 'notFromHere'))
  if (ctx.config.ADMIN_SECOND_FACTOR && (await meansOf(ctx, user.id)).factors.length === 0)
    throw forbidden(text('accounts-server', 'factorFirst'))
  return { userId: user.id } as Admin
}
