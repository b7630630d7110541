import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import { CLOSE } from '@vigil/contract/sockets.ts'
import { id as printerKey } from '@vigil/contract/values.ts'
import type { Ctx } from '../../ctx.ts'
import { forbidden, notFound } from '../../http/errors.ts'
import { keepBrowser, sendBounded } from '../../http/outbox.ts'
import type { Principal } from '../../http/principal.ts'
import { socket, type SocketCall } from '../../http/socket.ts'
import { everyTick } from '../../lib/ticks.ts'
import { type Authorized, authorizePrinters, ofAgent } from '../access/index.ts'
import { addViewer } from '../commands/index.ts'
import { type News, onNews, onPassthru, type Presence, readPresence } from '../presence/index.ts'
import { sessionEnded } from '../accounts/index.ts'
import { Passthru } from '../passthru/index.ts'
import { readFrame } from './frames.ts'
import { presentPrinter } from './printers.present.ts'
import { findByToken, findViews, type PrinterView } from './printers.queries.ts'

/** A heartbeat after this long without a push brings the object again (docs/wire/browsers.md 1). */
const STALE_PUSH_MS = 45_000
/** Age changes what is true: every open view is looked at again this often. */
const TICK_MS = 5_000
/** An agent's token as it stands in a path (docs/wire/agents.md 2.1); imported ones may be longer. */
const TOKEN = /^[\w-]{16,128}$/

/** Whose view it is: a person's, or a holder of the printer's token (docs/wire/browsers.md 1). */
interface Viewer {
  readonly principal: Principal
  readonly printer: Authorized<'control'>
  readonly edge: SocketCall['edge']
  /** Set when it came with the token: a new token shuts it out. */
  readonly token: string | null
}

/** One browser's view of one printer: rows are read again only when they changed. */
class WebView {
  readonly #ctx: Ctx
  readonly #ws: WebSocket
  readonly #viewer: Viewer
  #view: PrinterView | null = null
  #live: Presence = { status: null, agent: null, picture: null }
  #pushedAt = 0
  #shown = ''
  #reading = false
  #again = false

  constructor(ctx: Ctx, ws: WebSocket, viewer: Viewer) {
    this.#ctx = ctx
    this.#ws = ws
    this.#viewer = viewer
  }

  /** The name of the printer's agent, read now unless it is known. */
  async agentName(): Promise<string | null> {
    const view = this.#view ?? (await this.#read())
    return view?.printer.agentName ?? null
  }

  async #read(): Promise<PrinterView | undefined> {
    const { principal, printer, token } = this.#viewer
    const scope = { principal, action: 'see', withArchived: token === null } as const
    const [view] = await findViews(this.#ctx.db, scope, printer.id)
    return token === null || view?.printer.authToken === token ? view : undefined
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
        const view = await this.#read()
        if (view === undefined) return this.#ws.close(CLOSE.revoked)
        this.#view = view
        this.#live = await readPresence(this.#ctx, this.#viewer.printer.id)
        this.push()
      } while (this.#again)
    } finally {
      this.#reading = false
    }
  }

  /** Something happened to the printer. */
  async hear(news: News): Promise<void> {
    if (news.kind === 'gone') return this.#ws.close(CLOSE.revoked)
    if (news.kind === 'changed' || this.#view === null) return await this.refresh()
    if (news.kind === 'status') {
      const { agent } = this.#live
      const seen = agent && { ...agent, seenAt: this.#ctx.clock.now() }
      const status = news.read()
      this.#live = { ...this.#live, status, agent: status === null ? agent : seen }
      if (agent === null) this.#live = await readPresence(this.#ctx, this.#viewer.printer.id)
    } else {
      const looked = this.#live.picture?.checkedAt
      this.#live = await readPresence(this.#ctx, this.#viewer.printer.id)
      // The detector has looked: its score is in the rows.
      if (this.#live.picture?.checkedAt !== looked) return await this.refresh()
    }
    this.push()
  }

  /** Time passed: pushes when what we claim about watching or the agent has changed with it. */
  async tick(): Promise<void> {
    if (this.#view === null) return
    this.#live = await readPresence(this.#ctx, this.#viewer.printer.id)
    if (claimOf(this.#present()) !== this.#shown) this.push()
  }

  /** The browser is alive; it gets the object again when it has heard nothing for long. */
  async heartbeat(): Promise<void> {
    if (this.#ctx.clock.monotonic() - this.#pushedAt > STALE_PUSH_MS) await this.refresh()
  }

  push(): void {
    if (this.#view === null) return
    const printer = this.#present()
    this.#pushedAt = this.#ctx.clock.monotonic()
    this.#shown = claimOf(printer)
    sendBounded(this.#ws, JSON.stringify(printer))
  }

  #present() {
    return presentPrinter(this.#ctx, this.#view as PrinterView, this.#live, this.#viewer.edge)
  }
}

/** What we claim, without the clock's part in it. */
function claimOf({ watch, agent }: ReturnType<typeof presentPrinter>): string {
  return `${watch.state} ${watch.code} ${agent.state}`
}

/** `/ws/web/{id}/`: the whole printer at once and on every change (docs/wire/browsers.md 1). */
export function webSockets(app: FastifyInstance, ctx: Ctx): void {
  const open = new Set<WebView>()
  everyTick(ctx, TICK_MS, () => Promise.all([...open].map((view) => view.tick())))

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
  readonly open: Set<WebView>
}

async function serve(ctx: Ctx, { ws, viewer, call, open }: Opened): Promise<void> {
  const { printer, principal } = viewer
  const printerId = printer.id
  const view = new WebView(ctx, ws, viewer)
  const listening = Promise.withResolvers<void>()
  const passthru = new Passthru(ctx, {
    printer,
    userId: principal.kind === 'user' || principal.kind === 'printer' ? principal.userId : 0,
    initiator: viewer.token === null ? 'web' : 'api',
    // Nothing is asked before its answer can be heard.
    agentName: () => listening.promise.then(() => view.agentName()),
    say: (item) => sendBounded(ws, JSON.stringify({ passthru: item })),
  })
  const cleanUps: (() => void)[] = [() => passthru.close()]
  ws.on('error', () => ws.terminate())
  ws.on('close', () => {
    open.delete(view)
    for (const clean of cleanUps) clean()
  })
  ws.on('message', (data, isBinary) => {
    const frame = readFrame(data as Buffer, isBinary)
    if (frame['passthru'] !== undefined) passthru.ask(frame['passthru'])
    void view.heartbeat().catch(() => ws.terminate())
  })
  keepBrowser(ws)
  const hear = (news: News) => void view.hear(news).catch(() => ws.terminate())
  const subscriptions = await Promise.all([
    onNews(ctx, printerId, hear),
    onPassthru(ctx, printerId, (item) => passthru.hear(item)),
    addViewer(ctx, printerId),
  ])
  subscriptions.push(sessionEnded(ctx, call.principal, () => ws.close(CLOSE.revoked)))
  cleanUps.push(...subscriptions)
  listening.resolve()
  if (ws.readyState !== ws.OPEN) for (const clean of subscriptions) clean()
  else open.add(view)
  await view.refresh()
}
