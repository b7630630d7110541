import { CLOSE } from '@vigil/contract/sockets.ts'
import { id as printerKey } from '@vigil/contract/values.ts'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Ctx } from '../../../ctx.ts'
import { forbidden, notFound } from '../../../http/errors.ts'
import { limitIncoming } from '../../../http/outbox.ts'
import type { TunnelPrincipal, UserPrincipal } from '../../../http/principal.ts'
import { socket } from '../../../http/socket.ts'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import { authorizePrinters, findByToken } from '../../core/access/index.ts'
import { onNews } from '../../core/presence/index.ts'
import { sessionEnded } from '../../people/accounts/index.ts'
import { MAX_REQUEST } from '../janus/janus.rules.ts'
import { followLink, LinkWatch } from '../sharing/index.ts'
import { serveVideo, tunnelRevoked } from '../tunnels/index.ts'
import { relay } from './relay.ts'

/** An agent's token as it stands in a path (docs/wire/agents.md 2.1); imported ones may be longer. */
const TOKEN = /^[\w-]{16,128}$/

/** `/ws/janus/…`: the talk of a browser with the Janus of a printer (docs/wire/browsers.md 6). */
export function videoSockets(app: FastifyInstance, ctx: Ctx): void {
  linkSocket(app, ctx)
  serveVideo(ctx, async (ws, principal) => {
    limitIncoming(ws, MAX_REQUEST)
    await look(ctx, ws, { principal, ...lookAt(ctx, principal, principal) }).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'an app was not shown its cameras')
      ws.terminate()
    })
  })

  socket(
    app,
    { path: '/ws/janus/:id/', callers: ['session', 'tunnel'], maxMessage: MAX_REQUEST },
    {
      before: async ({ principal, params }) => {
        const id = printerKey.safeParse(params['id'])
        if (!id.success) throw notFound()
        const [printer] = await authorizePrinters(ctx, principal, [id.data], 'see')
        if (printer === undefined) throw forbidden('Not found.')
        return lookAt(ctx, principal, { printerId: printer.id, userId: printer.userId })
      },
      open: (ws, { principal }, found) => look(ctx, ws, { principal, ...found }),
    },
  )

  socket(
    app,
    { path: '/ws/token/janus/:token/', callers: ['anyone'], maxMessage: MAX_REQUEST },
    {
      before: async ({ params }) => {
        const token = params['token'] ?? ''
        const find = async () => (TOKEN.test(token) ? await findByToken(ctx.db, token) : undefined)
        const found = await find()
        if (found === undefined) throw forbidden('Not found.')
        return { found, mayLook: async () => (await find())?.id === found.id }
      },
      open: (ws, _call, { found, mayLook }) => {
        const until = endWhenNot(ctx, found.id, mayLook, () => ws.close(CLOSE.revoked))
        return relay(ctx, ws, { printerId: found.id, guest: { isGuest: false, userId: found.userId }, until })
      },
    },
  )
}

type Viewer = UserPrincipal | TunnelPrincipal

const lookAt = (
  ctx: Ctx,
  principal: Viewer,
  { printerId, userId }: { printerId: PrinterId; userId: UserId },
) => ({
  printerId,
  userId,
  mayLook: async () => (await authorizePrinters(ctx, principal, [printerId], 'see')).length > 0,
})

/** Shows a printer to its owner, or to an app that they have let in: by the owner's plan, for as long as they may look. */
async function look(
  ctx: Ctx,
  ws: WebSocket,
  { principal, printerId, userId, mayLook }: { principal: Viewer } & ReturnType<typeof lookAt>,
): Promise<void> {
  const end = () => ws.close(CLOSE.revoked)
  ws.on('close', sessionEnded(ctx, principal, end))
  ws.on('close', tunnelRevoked(ctx, principal, end))
  const until = endWhenNot(ctx, printerId, mayLook, end)
  await relay(ctx, ws, { printerId, guest: { isGuest: false, userId }, until })
}

function linkSocket(app: FastifyInstance, ctx: Ctx): void {
  const links = new LinkWatch(ctx)
  socket(
    app,
    { path: '/ws/share_token/janus/:token/', callers: ['anyone'], maxMessage: MAX_REQUEST },
    {
      before: (call) => followLink(ctx, 'share-played', call),
      open: (ws, _call, link) => {
        const { printerId, userId } = link
        const until = links.watch(link, () => ws.close(CLOSE.revoked, 'revoked'))
        return relay(ctx, ws, { printerId, guest: { isGuest: true, userId }, until })
      },
    },
  )
}

/** Looks again, whenever the printer has changed, whether who came may still look. */
async function endWhenNot(
  ctx: Ctx,
  printerId: PrinterId,
  mayLook: () => Promise<boolean>,
  end: () => void,
): Promise<() => void> {
  return await onNews(ctx, printerId, ({ kind }) => {
    if (kind === 'gone') return end()
    if (kind !== 'changed') return
    mayLook().then(
      (may) => (may ? undefined : end()),
      (error: unknown) => ctx.log.warn({ err: error, printerId }, 'a viewer could not be looked at'),
    )
  })
}
