import * as api from '@vigil/contract/prints/gallery.ts'
import type { PublicTimelapse } from '@vigil/contract/prints/gallery.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { type Content, stream } from '../../../http/stream.ts'
import { requireAdmin } from '../../people/accounts/index.ts'
import { storedContent } from '../../core/media/index.ts'
import { isPublic, type Shown } from './gallery.queries.ts'
import { copyOf } from './gallery.rules.ts'
import { decideEntry, listEntries } from './moderation.service.ts'
import { offer, readOffer, withdraw } from './offers.service.ts'
import { lend, shownNow } from './shelf.ts'

const COPIES = '/ent_pub/timelapses'

/** The owner's side: a print is offered, and withdrawn. */
export function offerRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.getGalleryOffer, ({ principal, params }) => readOffer(ctx, principal, params.id))
  route(app, api.putGalleryOffer, ({ principal, params, body }) =>
    offer(ctx, principal, params.id, body.creator_name),
  )
  route(app, api.deleteGalleryOffer, ({ principal, params }) => withdraw(ctx, principal, params.id))
}

/** The administrators' side. */
export function moderationRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.listGalleryEntries, async ({ principal, query, edge }) => {
    await requireAdmin(ctx, { principal, edge })
    return await listEntries(ctx, query, edge)
  })
  route(app, api.decideGalleryEntry, async ({ principal, params, body, edge }) =>
    decideEntry(ctx, await requireAdmin(ctx, { principal, edge }), params.id, body, edge),
  )
}

/** Everybody's side (docs/wire/rest.md 4). */
export function publicRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.listPublicTimelapses, async ({ query: { start, limit }, edge }) => {
    const shown = await shownNow(ctx)
    return shown.slice(start, start + limit).map((entry) => present(entry, edge))
  })

  stream(app, { path: `${COPIES}/:key/:file`, callers: ['anyone'] }, ({ params }) =>
    publicCopy(ctx, params['key'], params['file']),
  )

  // Where the gallery stood once.
  const moved = (request: FastifyRequest, reply: FastifyReply) =>
    reply.redirect(`${request.edge.prefix}/ent_pub/publictimelapses/`, 301)
  for (const path of ['/publictimelapses/', '/publictimelapses']) {
    app.routeTable.push({ kind: 'page', method: 'GET', path, callers: ['anyone'] })
    app.get(path, { config: { open: true } }, moved)
  }
}

function present({ id, creatorName, key, hasPoster, publicAt }: Shown, edge: Edge): PublicTimelapse {
  const at = (file: string) => `${edge.origin}${edge.prefix}${COPIES}/${key}/${file}`
  return {
    id,
    creator_name: creatorName,
    p_json_url: at('p.json'),
    video_url: at('video.mp4'),
    poster_url: hasPoster ? at('poster.jpg') : null,
    created_at: (publicAt ?? new Date(0)).toISOString(),
  }
}

/** A copy that is public now. Asked for again before it is shown again: it may be withdrawn at any time. */
async function publicCopy(ctx: Ctx, key = '', file?: string): Promise<Content> {
  const ref = copyOf(key, file)
  if (ref === null || !(await isPublic(ctx.db, key))) throw notFound()
  const content = await storedContent(ctx, ref, 'private, no-cache')
  return {
    ...content,
    async open(part) {
      const bytes = await content.open(part)
      return bytes instanceof Readable ? lend(ctx, key, bytes) : bytes
    },
  }
}
