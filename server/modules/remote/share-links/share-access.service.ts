import type { SharedPrinter } from '@vigil/contract/remote/sharing.ts'
import { statusOf } from '@vigil/contract/core/status.ts'
import type { Id, PrinterId } from '../../../lib/id.ts'
import { byKnownKey, currentKey } from '../../../lib/keyring.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { AppError, invalid, notFound } from '../../../http/errors.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import { inNameOf } from '../../../http/principal.ts'
import type { SocketCall } from '../../../http/socket.ts'
import { askForStill } from '../../core/commands/index.ts'
import { mayShare } from '../../people/accounts/index.ts'
import { readPicture, readPresence, readStatus } from '../../core/presence/index.ts'
import { findViews, presentPrinter } from '../../printers/printers/index.ts'
import { isPin } from './share-links.pins.ts'
import { findShown, type ShownLink, touchLink } from './share-links.queries.ts'
import {
  hadPass,
  isShareToken,
  isUnlocked,
  reduceSettings,
  viewerCookie,
  VIEWER_TTL_MS,
  viewerPass,
} from './share-links.rules.ts'

/** True while the link shows something: not ended, and its owner may share. */
export function isLive(ctx: Ctx, link: ShownLink): boolean {
  return mayShare(ctx, link) && (link.endsAt === null || link.endsAt.getTime() > ctx.clock.now())
}

async function find(ctx: Ctx, shareToken: string): Promise<ShownLink> {
  const link = isShareToken(shareToken) ? await findShown(ctx.db, shareToken) : undefined
  if (link === undefined || !isLive(ctx, link)) throw notFound()
  return link
}

/** A link that this viewer may see through. Raises 404 for a dead one, 401 before its PIN was given. */
export async function openLink(ctx: Ctx, shareToken: string, pass: string | undefined): Promise<ShownLink> {
  const link = await find(ctx, shareToken)
  const now = ctx.clock.now()
  if (!byKnownKey(ctx.config, (secret) => isUnlocked(secret, link, pass, now)))
    throw new AppError(401, { detail: 'This link needs its PIN.', pin_required: true })
  return link
}

/** Openings of one link a minute from one place, for each kind of socket: whoever has a link has no account to stop. */
const OPENINGS = { tries: 120, windowMs: 60_000 }

/** The link that a viewer's websocket names. Raises as `openLink`, and 429 for too many at once. */
export async function followLink(
  ctx: Ctx,
  name: string,
  { params, request, edge }: SocketCall,
): Promise<ShownLink> {
  const token = params['token'] ?? ''
  const link = await openLink(ctx, token, request.cookies[viewerCookie(token)])
  await spend(ctx, ...byAddress({ ...OPENINGS, name }, edge.address, String(link.id)))
  return link
}

/** Checks a PIN and returns what the viewer's cookie shall hold. Raises 400 for a wrong one, 429 for too many. */
export async function unlock(
  ctx: Ctx,
  {
    shareToken,
    pin,
    address,
    pass,
  }: { shareToken: string; pin: string; address: string; pass: string | undefined },
): Promise<string> {
  const link = await find(ctx, shareToken)
  const { id, pinHash } = link
  const isKnown = byKnownKey(ctx.config, (secret) => hadPass(secret, link, pass))
  if (pinHash !== null && !(await isPin(ctx, { id, pinHash }, { pin, address, isKnown })))
    throw invalid({ pin: 'This PIN is wrong.' })
  return viewerPass(currentKey(ctx.config).secret, link, ctx.clock.now() + VIEWER_TTL_MS)
}

/** Writes that the link was used; nobody is kept from looking because that could not be written. */
export function remember(ctx: Ctx, linkId: Id<'sharedResources'>): void {
  touchLink(ctx.db, linkId, new Date(ctx.clock.now())).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'the use of a share link could not be written'),
  )
}

/** What a link shows to whoever came in at an edge. */
export type Feed = (edge: Pick<Edge, 'origin' | 'prefix'>) => SharedPrinter

/**
 * Reads a printer once for all its viewers; null when it has gone. The picture's address is the link's own: a
 * signed one would name the printer and outlive the link.
 */
export async function readFeed(ctx: Ctx, link: ShownLink): Promise<Feed | null> {
  const scope = { principal: inNameOf(link), action: 'see' } as const
  const [view] = await findViews(ctx.db, scope, link.printerId)
  if (view === undefined) return null
  const live = await readPresence(ctx, link.printerId)
  return (edge) => {
    const { name, settings } = presentPrinter(ctx, view, live, edge)
    const base = `${edge.origin}${edge.prefix}/api/v1p/printer/pic/?share_token=${link.shareToken}`
    const pic = live.picture?.raw
      ? {
          img_url: `${base}&ts=${live.picture.at}`,
          taken_at: new Date(live.picture.at).toISOString(),
        }
      : null
    return { name, pic, settings: reduceSettings(settings) }
  }
}

/** The bytes of the latest picture, without boxes; null when there is none. */
export async function openPicture(ctx: Ctx, link: ShownLink): Promise<NodeJS.ReadableStream | null> {
  const picture = await readPicture(ctx, link.printerId)
  return picture?.raw ? await ctx.files.get(picture.raw) : null
}

/**
 * A viewer sees no moving picture: a printer that does not print sends a new still. One that prints sends them by itself, and
 * viewers add no frames to its print.
 */
export async function askForIdleStill(ctx: Ctx, printerId: PrinterId): Promise<void> {
  const status = statusOf(await readStatus(ctx, printerId).catch(() => null))
  if (status !== null && !status.printing) askForStill(ctx, printerId)
}
