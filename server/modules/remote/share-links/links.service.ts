import type { SharedResource, ShareLink, ShareLinkWrite } from '@vigil/contract/remote/sharing.ts'
import type { Ctx } from '../../../ctx.ts'
import { lockList } from '../../../engines/db/transaction.ts'
import { keptByPerson } from '../../../http/acting.ts'
import type { Edge } from '../../../http/edge.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type Authorized, requirePrinter } from '../../core/access/index.ts'
import { requireSharing } from '../../people/accounts/index.ts'
import type { PrinterRow } from '../../watch/printer-base/index.ts'
import { countViewers, tellViewers } from './crowd.service.ts'
import { hashPin } from './share-links.pins.ts'
import * as queries from './share-links.queries.ts'
import type { LinkRow } from './share-links.queries.ts'
import { newShareToken } from './share-links.rules.ts'

const MOST_LINKS = 50

/** Who asks, and how they reached us. */
export interface Asker {
  readonly principal: UserPrincipal
  readonly edge: Pick<Edge, 'origin' | 'prefix'>
}

const hasEnded = (ctx: Ctx, { endsAt }: LinkRow) => endsAt !== null && endsAt.getTime() <= ctx.clock.now()

const asResource = ({ principal }: Asker, { id, printerId, shareToken }: LinkRow): SharedResource => ({
  id,
  printer_id: printerId,
  share_token: keptByPerson(principal, shareToken),
})

function present(ctx: Ctx, { principal, edge }: Asker, row: LinkRow): ShareLink {
  return {
    id: row.id,
    printer_id: row.printerId,
    share_token: keptByPerson(principal, row.shareToken),
    url: keptByPerson(principal, `${edge.origin}${edge.prefix}/printers/share_token/${row.shareToken}/`),
    label: row.label,
    is_default: row.isDefault,
    ends_at: row.endsAt?.toISOString() ?? null,
    has_ended: hasEnded(ctx, row),
    has_pin: row.pinHash !== null,
    viewers: countViewers(ctx, row.id),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  }
}

/** The default link of the caller's printer, while it lasts. */
export async function listDefault(ctx: Ctx, asker: Asker, printerId: number): Promise<SharedResource[]> {
  const { id } = await requirePrinter(ctx, asker.principal, printerId, 'edit')
  const links = await queries.linksOf(ctx.db, id)
  return links.filter((row) => row.isDefault && !hasEnded(ctx, row)).map((row) => asResource(asker, row))
}

/** Makes the default link, or finds it; one that has ended gives way to a new one. */
export async function enable(ctx: Ctx, asker: Asker, printerId: number): Promise<SharedResource[]> {
  const printer = await requirePrinter(ctx, asker.principal, printerId, 'edit')
  await requireSharing(ctx, printer.userId)
  const row = await queries.ensureDefault(ctx.db, printer, newShareToken())
  if (!hasEnded(ctx, row)) return [asResource(asker, row)]
  await queries.deleteLink(ctx.db, printer, row.id)
  return [asResource(asker, await queries.ensureDefault(ctx.db, printer, newShareToken()))]
}

/** All links of the caller's printer. */
export async function listLinks(ctx: Ctx, asker: Asker, printerId: number): Promise<ShareLink[]> {
  const { id } = await requirePrinter(ctx, asker.principal, printerId, 'edit')
  const links = await queries.linksOf(ctx.db, id)
  return links.map((row) => present(ctx, asker, row))
}

/** What is written, as columns. Raises 400 for an end that has passed. */
async function columnsOf(ctx: Ctx, write: Partial<ShareLinkWrite>) {
  const endsAt = write.ends_at == null ? write.ends_at : new Date(write.ends_at)
  if (endsAt && endsAt.getTime() <= ctx.clock.now()) throw invalid({ ends_at: 'This time has passed.' })
  const pinHash = write.pin == null ? write.pin : await hashPin(write.pin)
  return {
    ...(write.label === undefined ? {} : { label: write.label }),
    ...(endsAt === undefined ? {} : { endsAt }),
    ...(pinHash === undefined ? {} : { pinHash }),
  }
}

/** Adds a link to the caller's printer. */
export async function createLink(
  ctx: Ctx,
  asker: Asker,
  printerId: number,
  write: Partial<ShareLinkWrite>,
): Promise<ShareLink> {
  const printer = await requirePrinter(ctx, asker.principal, printerId, 'edit')
  await requireSharing(ctx, printer.userId)
  const columns = await columnsOf(ctx, write)
  const row = await ctx.db.transaction().execute(async (tx) => {
    await lockList(tx, 'linksOfPrinter', printer.id)
    if ((await queries.linksOf(tx, printer.id)).length >= MOST_LINKS)
      throw invalid({ non_field_errors: `A printer has at most ${MOST_LINKS} links.` })
    return queries.insertLink(tx, printer, { ...columns, shareToken: newShareToken() })
  })
  return present(ctx, asker, row)
}

/** A link of one of the caller's printers, archived ones too: what is shared can always be taken back. */
async function ownLink(
  ctx: Ctx,
  { principal }: Asker,
  id: number,
): Promise<{ link: LinkRow; printer: Authorized<'edit', PrinterRow> }> {
  const link = await queries.findLink(ctx.db, principal, id)
  if (link === undefined) throw notFound()
  const printer = await requirePrinter(ctx, principal, link.printerId, 'edit', { withArchived: true })
  return { link, printer }
}

/** Changes a link; its viewers are looked at again. */
export async function changeLink(
  ctx: Ctx,
  asker: Asker,
  id: number,
  write: Partial<ShareLinkWrite>,
): Promise<ShareLink> {
  const { printer, link } = await ownLink(ctx, asker, id)
  await requireSharing(ctx, printer.userId)
  const columns = await columnsOf(ctx, write)
  if (Object.keys(columns).length > 0) {
    await queries.updateLink(ctx.db, printer, link.id, columns)
    tellViewers(ctx, link.id, 'changed')
  }
  return present(ctx, asker, (await ownLink(ctx, asker, id)).link)
}

/** Takes a link back: its viewers are disconnected on every node. */
export async function removeLink(ctx: Ctx, asker: Asker, id: number): Promise<void> {
  const { printer, link } = await ownLink(ctx, asker, id)
  await queries.deleteLink(ctx.db, printer, link.id)
  tellViewers(ctx, link.id, 'revoked')
}
