import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import { CLOSE } from '@vigil/contract/sockets.ts'
import { id as printerKey } from '@vigil/contract/values.ts'
import type { Ctx } from '../../../ctx.ts'
import { forbidden, notFound } from '../../../http/errors.ts'
import { keepBrowser } from '../../../http/outbox.ts'
import { socket, type SocketCall } from '../../../http/socket.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { authorizePrinters, findByToken, ofAgent } from '../../core/access/index.ts'
import { sessionEnded } from '../../people/accounts/index.ts'
import { readFrame } from './live.frames.ts'
import { PrinterPage, type Viewer } from './printer.page.ts'

/** Age changes what is true: every open view is looked at again this often. */
const TICK_MS = 5_000
/** An agent's token as it stands in a path (docs/wire/agents.md 2.1); imported ones may be longer. */
const TOKEN = /^[\w-]{16,128}$/

/** `/ws/web/{id}/`: the whole printer at once and on every change (docs/wire/browsers.md 1). */
export function webSockets(app: FastifyInstance, ctx: Ctx): void {
  const open = new Set<PrinterPage>()
  everyTick(ctx, TICK_MS, () => {
    for (const page of open) page.tick()
  })

  socket(
    app,
    { path: '/ws/web/:id/', callers: ['session'] },
    {
      before: async ({ principal, params, edge }): Promise<Viewer> => {
        const printerId = printerKey.safeParse(params['id'])
        if (!printerId.success) throw notFound()
        const [printer] = await authorizePrinters(ctx, principal, [printerId.data], 'control', {
          withArchived: true,
        })
        if (printer === undefined) throw forbidden('Not found.')
        return { principal, edge, printer, token: null }
      },
      open: (ws, call, viewer) => serve(ctx, { ws, viewer, call, open }),
    },
  )

  socket(
    app,
    { path: '/ws/token/web/:token/', callers: ['anyone'] },
    {
      before: async ({ params, edge }): Promise<Viewer> => {
        const token = params['token'] ?? ''
        const found = TOKEN.test(token) ? await findByToken(ctx.db, token) : undefined
        if (found === undefined) throw forbidden('Not found.')
        const principal = { kind: 'printer', printerId: found.id, userId: found.userId } as const
        return { principal, edge, printer: ofAgent(principal), token }
      },
      open: (ws, call, viewer) => serve(ctx, { ws, viewer, call, open }),
    },
  )
}

interface Opened {
  readonly ws: WebSocket
  readonly viewer: Viewer
  readonly call: SocketCall
  readonly open: Set<PrinterPage>
}

async function serve(ctx: Ctx, { ws, viewer, call, open }: Opened): Promise<void> {
  const page = new PrinterPage(ctx, ws, viewer)
  const endOfSession = sessionEnded(ctx, call.principal, () => ws.close(CLOSE.revoked))
  open.add(page)
  ws.on('error', () => ws.terminate())
  ws.on('close', () => {
    open.delete(page)
    endOfSession()
    page.printer.close()
  })
  ws.on('message', (data, isBinary) => {
    const frame = readFrame(data as Buffer, isBinary)
    if (frame['passthru'] !== undefined) page.printer.passthru.ask(frame['passthru'])
    if (frame['still'] === true) page.printer.askForStill()
    page.heartbeat()
  })
  keepBrowser(ws)
  await page.open()
}
