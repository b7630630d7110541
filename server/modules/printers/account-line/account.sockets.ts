import { frameBytes } from '../../../lib/frame-bytes.ts'
import { accountFrameIn, CLOSE } from '@vigil/contract/sockets.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { keepBrowser } from '../../../http/outbox.ts'
import { socket } from '../../../http/socket.ts'
import { sessionEnded } from '../../people/accounts/index.ts'
import { AccountView } from './account.view.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { readFrame } from '../live/live.frames.ts'

/** Age changes what is true: everything watched is looked at again this often. */
const TICK_MS = 5_000

/** `/ws/web/all/`: all printers of an account over one socket (contract/sockets.ts). */
export function accountSockets(app: FastifyInstance, ctx: Ctx): void {
  const open = new Set<AccountView>()
  everyTick(ctx, TICK_MS, () => {
    for (const view of open) view.tick()
  })

  socket(
    app,
    { path: '/ws/web/all/', callers: ['session'] },
    {
      open: (ws, { principal, edge }) => {
        const view = new AccountView(ctx, { ws, principal, edge })
        const endOfSession = sessionEnded(ctx, principal, () => ws.close(CLOSE.revoked))
        open.add(view)
        view.listen().catch((error: unknown) => {
          ctx.log.warn({ err: error }, 'an account socket could not be served')
          ws.close(CLOSE.going)
        })
        ws.on('error', () => ws.terminate())
        ws.on('close', () => {
          open.delete(view)
          endOfSession()
          view.close()
        })
        ws.on('message', (data, isBinary) => hear(view, readFrame(frameBytes(data), isBinary)))
        keepBrowser(ws)
      },
    },
  )
}

function hear(view: AccountView, message: Record<string, unknown>): void {
  const frame = accountFrameIn.safeParse(message)
  if (!frame.success) return
  const { watch, viewing, still, id, passthru } = frame.data
  if (watch !== undefined || viewing !== undefined) view.want(watch, viewing)
  if (still !== undefined) view.askForStills(still)
  if (id !== undefined && passthru !== undefined) view.ask(id, passthru)
}
