import { fieldsOf } from '@vigil/contract/fields.ts'
import * as api from '@vigil/contract/remote/sharing.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { giveCookie } from '../../../http/cookies.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { openLink, openPicture, readFeed, remember, unlock } from '../share-links/share-access.service.ts'
import * as links from '../share-links/links.service.ts'
import { VIEWER_KNOWN_MS, viewerCookie } from '../share-links/share-links.rules.ts'

/** No printer named is a printer that is not found. */
function named(printerId: number | undefined): number {
  if (printerId === undefined) throw notFound()
  return printerId
}

/** The owner's switch and list of links (docs/wire/rest.md 3). */
export function ownerRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.listShared, (call) => links.listDefault(ctx, call, named(call.query.printer_id)))
  route(app, api.enableSharing, (call) =>
    links.enable(ctx, call, named(call.query.printer_id ?? call.body.printer_id)),
  )
  route(app, api.listShareLinks, (call) => links.listLinks(ctx, call, call.params.id))
  route(app, api.createShareLink, (call) => links.createLink(ctx, call, call.params.id, call.body))
  route(app, api.updateShareLink, (call) => links.changeLink(ctx, call, call.params.id, call.body))
  for (const endpoint of [api.disableSharing, api.deleteShareLink] as const) {
    route(app, endpoint, async (call) => {
      await links.removeLink(ctx, call, call.params.id)
      return null
    })
  }
}

/** What whoever has a link may ask (docs/rules/remote.md 1). */
export function viewerRoutes(app: FastifyInstance, ctx: Ctx): void {
  const linkOf = (request: FastifyRequest, token: string) =>
    openLink(ctx, token, request.cookies[viewerCookie(token)])

  route(app, api.getSharedPrinter, async ({ request, query, edge }) => {
    const link = await linkOf(request, query.share_token ?? '')
    const feed = await readFeed(ctx, link)
    if (feed === null) throw notFound()
    remember(ctx, link.id)
    return feed(edge)
  })

  route(app, api.unlockSharedPrinter, async ({ body, edge, request, reply }) => {
    const { share_token: shareToken, pin } = body
    const before = request.cookies[viewerCookie(shareToken)]
    const pass = await unlock(ctx, { shareToken, pin, address: edge.address, pass: before })
    const name = viewerCookie(shareToken)
    giveCookie(reply, edge, { name, value: pass, maxAgeSeconds: VIEWER_KNOWN_MS / 1000 })
    return { succeeded: true as const }
  })

  const path = '/api/v1p/printer/pic/'
  app.routeTable.push({ kind: 'page', method: 'GET', path, callers: ['anyone'] })
  app.route({
    method: 'GET',
    url: path,
    compress: false,
    config: { open: true },
    handler: async (request, reply) => {
      const { share_token: token } = fieldsOf(request.query)
      const link = await linkOf(request, typeof token === 'string' ? token : '')
      return await sendPicture(reply, await openPicture(ctx, link))
    },
  })
}

/** Never kept: the same address shows nothing when the link has ended. */
async function sendPicture(reply: FastifyReply, picture: NodeJS.ReadableStream | null) {
  if (picture === null) throw notFound()
  return reply.headers({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' }).send(picture)
}
