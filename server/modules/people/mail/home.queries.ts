import { sql } from 'kysely'
import type { Ctx } from '../../../ctx.ts'

/**
 * Part of a query: where an administrator has signed in, of several the one who was here last; null while none has. Nobody else's
 * sign-in counts: whoever signs up may name any host.
 */
export const signedInAt = sql<string | null>`(
  select staff.last_origin from users staff
  where staff.is_staff and staff.is_active and staff.last_origin is not null
  order by staff.last_active_at desc nulls last limit 1
)`.as('signedInAt')

/** Where links in letters and messages lead (docs/rules/people.md 7); null while nobody has said where this server is found. */
export const homeOf = ({ config }: Pick<Ctx, 'config'>, row: { readonly signedInAt: string | null }) =>
  config.PUBLIC_URL ?? row.signedInAt

/** The same, asked of the database. */
export async function findHome(ctx: Pick<Ctx, 'config' | 'db'>): Promise<string | null> {
  return homeOf(ctx, await ctx.db.selectNoFrom(signedInAt).executeTakeFirstOrThrow())
}
