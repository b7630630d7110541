import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import { CLOSE } from '@vigil/contract/sockets.ts'
import { id as printerKey } from '@vigil/contract/values.ts'
import type { Ctx } from '../../ctx.ts'
import { forbidden, notFound } from '../../http/errors.ts'
import { keepAlive, sendBounded } from '../../http/outbox.ts'
import { socket, type SocketCall } from '../../http/route.ts'
import { addViewer } from '../commands/index.ts'
import { topics, type PrinterNews } from '../commands/keys.ts'
import { sessionEnded } from '../accounts/index.ts'
import { type LiveFacts, presentPrinter, readLive } from './printers.present.ts'
import { findViews, type PrinterView } from './printers.queries.ts'

/** A heartbeat after this long without a push brings the object again (api-contract 1.15). */
const STALE_PUSH_MS = 45_000
/** Age changes what is true: every open view is looked at again this often. */
const TICK_MS = 5_000

/** One browser's view of one printer: rows are read again only when they changed. */
class WebView {
  readonly #ctx: Ctx
  readonly #ws: WebSocket
  readonly #call: SocketCall
  readonly #printerId: number
  #view: PrinterView | null = null
  #live: LiveFacts = { status: null, agent: null, picture: null }
  #pushedAt = 0
  #shown = ''
  #reading = false
  #again = false

  constructor(ctx: Ctx, ws: WebSocket, call: SocketCall, printerId: number) {
    this.#ctx = ctx
    this.#ws = ws
    this.#call = call
    this.#printerId = printerId
  }

  /** Reads rows and live keys again and pushes; asked while it reads, it reads once more afterwards. */
  async refresh(): Promise<void> {
    if (this.#reading) {
      this.#again = true
      return
    }
    this.#reading = true
    try {
      do {
        this.#again = false
        const scope = { principal: this.#call.principal, action: 'see', withArchived: true } as const
        const [view] = await findViews(this.#ctx.db, scope, this.#printerId)
        if (view === undefined) return this.#ws.close(CLOSE.revoked)
        this.#view = view
        this.#live = await readLive(this.#ctx, this.#printerId)
        this.push()
      } while (this.#again)
    } finally {
      this.#reading = false
    }
  }

  /** Something happened to the printer. */
  async hear(news: PrinterNews): Promise<void> {
    if (news.kind === 'gone') return this.#ws.close(CLOSE.revoked)
    if (news.kind === 'changed' || this.#view === null) return await this.refresh()
    if (news.kind === 'status') {
      const { agent } = this.#live
      const seen = agent && { ...agent, seenAt: this.#ctx.clock.now() }
      this.#live = { ...this.#live, status: news.status, agent: news.status === null ? agent : seen }
      if (agent === null) this.#live = await readLive(this.#ctx, this.#printerId)
    } else this.#live = await readLive(this.#ctx, this.#printerId)
    this.push()
  }

  /** Time passed: pushes when what we claim about watching or the agent has changed with it. */
  async tick(): Promise<void> {
    if (this.#view === null) return
    this.#live = await readLive(this.#ctx, this.#printerId)
    if (claimOf(this.#present()) !== this.#shown) this.push()
  }

  /** The browser is alive; it gets the object again when it has heard nothing for long. */
  async heartbeat(): Promise<void> {
    if (this.#ctx.clock.now() - this.#pushedAt > STALE_PUSH_MS) await this.refresh()
  }

  push(): void {
    if (this.#view === null) return
    const printer = this.#present()
    this.#pushedAt = this.#ctx.clock.now()
    this.#shown = claimOf(printer)
    sendBounded(this.#ws, JSON.stringify(printer))
  }

  #present() {
    return presentPrinter(this.#ctx, this.#view as PrinterView, this.#live, this.#call.edge)
  }
}

/** What we claim, without the clock's part in it. */
function claimOf({ watch, agent }: ReturnType<typeof presentPrinter>): string {
  return `${watch.state} ${watch.code} ${agent.state}`
}

/** `/ws/web/{id}/`: the whole printer at once and on every change (api-contract 1.15). */
export function webSockets(app: FastifyInstance, ctx: Ctx): void {
  const open = new Set<WebView>()
  const ticker = setInterval(() => {
    for (const view of open) void view.tick().catch((error: unknown) => ctx.log.warn({ err: error }, 'tick failed'))
  }, TICK_MS)
  ctx.stopping.addEventListener('abort', () => clearInterval(ticker), { once: true })

  socket(
    app,
    { path: '/ws/web/:id/', callers: ['session'] },
    {
      before: async ({ principal, params }) => {
        const printerId = printerKey.safeParse(params['id'])
        if (!printerId.success || principal.kind !== 'user') throw notFound()
        const [view] = await findViews(ctx.db, { principal, action: 'see', withArchived: true }, printerId.data)
        if (view === undefined) throw forbidden('Not found.')
      },
      open: (ws, call) => {
        const view = new WebView(ctx, ws, call, Number(call.params['id']))
        void serve(ctx, ws, call, view, open).catch((error: unknown) => {
          ctx.log.error({ err: error }, 'a browser socket failed')
          ws.terminate()
        })
      },
    },
  )
}

async function serve(ctx: Ctx, ws: WebSocket, call: SocketCall, view: WebView, open: Set<WebView>): Promise<void> {
  const printerId = Number(call.params['id'])
  const cleanUps: (() => void)[] = []
  ws.on('error', () => ws.terminate())
  ws.on('close', () => {
    open.delete(view)
    for (const clean of cleanUps) clean()
  })
  ws.on('message', () => void view.heartbeat().catch(() => ws.terminate()))
  keepAlive(ws, { intervalMs: 30_000, deadAfterMs: 75_000 })
  const hear = (news: PrinterNews) => void view.hear(news).catch(() => ws.terminate())
  const subscriptions = await Promise.all([
    ctx.live.subscribe(topics.news(printerId), (message) => hear(JSON.parse(message.toString()) as PrinterNews)),
    ctx.live.subscribe(topics.passthru(printerId), (message) => sendBounded(ws, message.toString())),
    sessionEnded(ctx, call.principal, () => ws.close(CLOSE.revoked)),
    addViewer(ctx, printerId),
  ])
  cleanUps.push(...subscriptions)
  if (ws.readyState !== ws.OPEN) for (const clean of subscriptions) clean()
  else open.add(view)
  await view.refresh()
}
