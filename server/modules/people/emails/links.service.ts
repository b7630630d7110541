import type { Id } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { newLinkId } from '../../../lib/keyring.ts'
import { hashOf } from '../../../lib/signing.ts'
import { linkToken } from '../mail/index.ts'
import { findLink, insertLink, type LinkKind, type LinkRow } from './links.queries.ts'

type LinkCtx = Pick<Ctx, 'db' | 'clock' | 'config'>

/** Makes a one-time link to an address; its word is written into the letter, and of it nothing but the hash is kept. */
export async function makeLink(
  ctx: LinkCtx,
  { kind, addressId, goodForMs }: { kind: LinkKind; addressId: Id<'emailAddresses'>; goodForMs: number },
): Promise<string> {
  const id = newLinkId(ctx.config)
  const now = ctx.clock.now()
  await insertLink(ctx.db, {
    id,
    kind,
    addressId,
    tokenHash: hashOf(linkToken(ctx, id)),
    createdAt: new Date(now),
    expiresAt: new Date(now + goodForMs),
  })
  return id
}

/** The link that a word is of, used or not; undefined for an unknown one and one that ran out. */
export const linkOf = (ctx: LinkCtx, kind: LinkKind, token: string): Promise<LinkRow | undefined> =>
  findLink(ctx.db, kind, hashOf(token), new Date(ctx.clock.now()))
