import { randomBytes } from 'node:crypto'
import { json } from 'node:stream/consumers'
import type { PrintLink, SharedTimelapse } from '@vigil/contract/prints/print-links.ts'
import type { Ctx } from '../../../ctx.ts'
import { keptByPerson } from '../../../http/acting.ts'
import type { Edge } from '../../../http/edge.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { Content } from '../../../http/stream.ts'
import { text } from '../../../http/texts.ts'
import { storedContent } from '../../core/media/index.ts'
import { type PrintRow, requirePrint } from '../prints/index.ts'
import * as queries from './print-links.queries.ts'

/** A share token: 36 lower-case hex characters, 144 random bits. */
const newShareToken = () => randomBytes(18).toString('hex')

/** What cannot be a share token is not looked for. */
const isShareToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{36}$/.test(value)

/** The gauge of each frame and nothing else: `p` from 0 to 1, null where nobody looked. `[]` of what is no list. */
function gaugeOf(predictions: unknown): { p: number | null }[] {
  if (!Array.isArray(predictions)) return []
  return predictions.map((element: { fields?: { normalized_p?: unknown } } | null) => {
    const p = element?.fields?.normalized_p
    return { p: typeof p === 'number' && Number.isFinite(p) ? p : null }
  })
}

/** Who asks, and how they reached us. */
interface Asker {
  readonly principal: UserPrincipal
  readonly edge: Edge
}

function obstacleOf(ctx: Ctx, print: PrintRow): PrintLink['obstacle'] {
  if (!ctx.config.SHARING_ENABLED) return 'switched_off'
  return print.video === null && print.taggedVideo === null ? 'no_video' : null
}

function present(
  ctx: Ctx,
  { principal, edge }: Asker,
  print: PrintRow,
  link: queries.LinkRow | undefined,
): PrintLink {
  return {
    print_id: print.id,
    url: link
      ? keptByPerson(principal, `${edge.origin}${edge.prefix}/prints/share_token/${link.shareToken}/`)
      : null,
    created_at: link?.createdAt.toISOString() ?? null,
    obstacle: obstacleOf(ctx, print),
  }
}

/** The link of one of the caller's prints. Raises 404 for any other print. */
export async function readLink(ctx: Ctx, asker: Asker, printId: number): Promise<PrintLink> {
  const print = await requirePrint(ctx, asker.principal, printId, 'see')
  return present(ctx, asker, print, await queries.findLink(ctx.db, print.id))
}

/** Makes it, or finds it. Raises 400 where there is nothing to show, 403 where links are switched off. */
export async function makeLink(ctx: Ctx, asker: Asker, printId: number): Promise<PrintLink> {
  const print = await requirePrint(ctx, asker.principal, printId, 'edit')
  const obstacle = obstacleOf(ctx, print)
  if (obstacle !== null)
    throw new AppError(obstacle === 'no_video' ? 400 : 403, { detail: text('print-links-server', obstacle) })
  return present(ctx, asker, print, await queries.ensureLink(ctx.db, print.id, newShareToken()))
}

/** Takes it back: neither page nor video is shown by it any more. */
export async function revokeLink(ctx: Ctx, asker: Asker, printId: number): Promise<PrintLink> {
  const print = await requirePrint(ctx, asker.principal, printId, 'edit')
  await queries.removeLink(ctx.db, print.id)
  return present(ctx, asker, print, undefined)
}

async function open(ctx: Ctx, token: unknown): Promise<queries.Shown> {
  const shown =
    ctx.config.SHARING_ENABLED && isShareToken(token) ? await queries.findShown(ctx.db, token) : undefined
  if (shown === undefined || (shown.video ?? shown.taggedVideo) === null) throw notFound()
  return shown
}

/** What whoever has the link sees. Files are named by the link alone: nothing tells which print, printer or account it is. */
export async function readShared(ctx: Ctx, token: unknown, edge: Edge): Promise<SharedTimelapse> {
  const shown = await open(ctx, token)
  const at = (file: string) => `${edge.origin}${edge.prefix}/api/v1p/timelapse/${String(token)}/${file}`
  const content = shown.predictionJson && (await ctx.files.get(shown.predictionJson))
  return {
    creator_name: `${shown.firstName} ${shown.lastName}`.trim() || null,
    video_url: at('video.mp4'),
    poster_url: shown.poster && at('poster.jpg'),
    predictions: content ? gaugeOf(await json(content).catch(() => null)) : [],
  }
}

/** One of its files. A browser asks each time whether it may still have it. */
export async function openShared(ctx: Ctx, token: unknown, file: unknown): Promise<Content> {
  const { video, taggedVideo, poster } = await open(ctx, token)
  const ref = file === 'video.mp4' ? (video ?? taggedVideo) : file === 'poster.jpg' ? poster : null
  if (ref === null) throw notFound()
  return await storedContent(ctx, ref, 'private, no-cache')
}
