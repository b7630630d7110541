import type { UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import { forbidden } from '../../../http/errors.ts'
import type { Principal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import { findUser } from './users.queries.ts'

declare const administers: unique symbol

/** An administrator of this server; {@link requireAdmin} alone makes one. */
export interface Admin {
  readonly userId: UserId
  readonly [administers]: true
}

/** Whoever asks, if an administrator (`./vigil user add --admin`); raises 403 for everyone else. */
export async function requireAdmin({ db }: { readonly db: Db }, principal: Principal): Promise<Admin> {
  const user = principal.kind === 'user' ? await findUser(db, principal.userId) : undefined
  if (!user?.isActive || !user.isStaff) throw forbidden(text('accounts-server', 'onlyAdmins'))
  return { userId: user.id } as Admin
}
