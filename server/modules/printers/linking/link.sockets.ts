import type { LinkFrame } from '@vigil/contract/printers/linking.ts'
import { CLOSE } from '@vigil/contract/sockets.ts'
import { id as codeKey } from '@vigil/contract/values.ts'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Id } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { keepBrowser, sendBounded } from '../../../http/outbox.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { socket, type SocketCall } from '../../../http/socket.ts'
import { sessionEnded } from '../../people/accounts/index.ts'
import { findViews } from '../printers/index.ts'
import { codeTopic } from './codes.service.ts'
import { discoveryAt } from './discovery.service.ts'
import { type CodeRow, findCode } from './linking.queries.ts'

const MAX_MESSAGE = 16_384

async function ownCode(ctx: Ctx, { userId }: UserPrincipal, codeId: number): Promise<CodeRow> {
  const row = await findCode(ctx.db, userId, codeId)
  if (row === undefined) throw notFound()
  return row
}

/** `/ws/link/{codeId}/`: tells the wizard at once that its code was handed in, or has expired. */
export function linkSockets(app: FastifyInstance, ctx: Ctx): void {
  socket(
    app,
    { path: '/ws/link/:id/', callers: ['session'], maxMessage: MAX_MESSAGE },
    {
      before: async ({ principal, params }) => {
        const codeId = codeKey.safeParse(params['id'])
        if (!codeId.success) throw notFound()
        return (await ownCode(ctx, principal, codeId.data)).id
      },
      open: (ws, call, codeId) => serve(ctx, ws, call, codeId),
    },
  )
}

async function serve(
  ctx: Ctx,
  ws: WebSocket,
  { principal, edge }: SocketCall<UserPrincipal>,
  codeId: Id<'verificationCodes'>,
): Promise<void> {
  const look = () => {
    tell(ctx, ws, principal, codeId).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the wizard could not be told')
      ws.terminate()
    })
  }
  ws.on('error', () => ws.terminate())
  keepBrowser(ws)
  const unsubscribe = await ctx.live.subscribe(codeTopic(codeId), look)
  const forget = sessionEnded(ctx, principal, () => ws.close(CLOSE.revoked))
  whenClosed(ws, () => {
    unsubscribe()
    forget()
  })
  const { verifiedAt, expiredAt } = await ownCode(ctx, principal, codeId)
  const left = expiredAt.getTime() - ctx.clock.now()
  if (verifiedAt !== null || left <= 0) return look()
  const discovery = await discoveryAt(ctx, edge)
  send(ws, { waiting: true, expired_at: expiredAt.toISOString(), discovery })
  const timer = setTimeout(look, left + 5)
  whenClosed(ws, () => clearTimeout(timer))
}

/** Cleans up after a socket, also after one that closed while we were reading. */
function whenClosed(ws: WebSocket, cleanUp: () => void): void {
  if (ws.readyState === ws.CLOSED) cleanUp()
  else ws.on('close', cleanUp)
}

const send = (ws: WebSocket, frame: LinkFrame) => sendBounded(ws, JSON.stringify(frame))

/** Says what has become of the code, if anything has, and ends. */
async function tell(
  ctx: Ctx,
  ws: WebSocket,
  principal: UserPrincipal,
  codeId: Id<'verificationCodes'>,
): Promise<void> {
  const row = await findCode(ctx.db, principal.userId, codeId)
  if (row === undefined) return ws.close(CLOSE.revoked)
  const { verifiedAt, expiredAt, printerId } = row
  if (verifiedAt === null && expiredAt.getTime() > ctx.clock.now()) return
  if (verifiedAt === null) send(ws, { expired: true })
  else {
    const [view] = printerId === null ? [] : await findViews(ctx.db, { principal, action: 'see' }, printerId)
    const printer = view ? { id: view.printer.id, name: view.printer.name } : null
    send(ws, { verified_at: verifiedAt.toISOString(), printer })
  }
  ws.close(1000)
}
