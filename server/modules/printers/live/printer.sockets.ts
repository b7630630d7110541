import { frameBytes } from '../../../lib/frame-bytes.ts'
import { WEB_MESSAGE } from '@vigil/contract/core/passthru.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { CLOSE } from '@vigil/contract/sockets.ts'
import { id as printerKey } from '@vigil/contract/values.ts'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Ctx } from '../../../ctx.ts'
import { actorOf } from '../../../http/acting.ts'
import { forbidden, notFound } from '../../../http/errors.ts'
import { keepBrowser, sendBounded } from '../../../http/outbox.ts'
import type { Principal } from '../../../http/principal.ts'
import { socket, type SocketCall } from '../../../http/socket.ts'
import { NO_ID, type PrinterId } from '../../../lib/id.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { authorizePrinters, findByToken, ofAgent, type Authorized } from '../../core/access/index.ts'
import { sessionEnded } from '../../people/accounts/index.ts'
import type { Where } from '../rows/printers.present.ts'
import { findViews, type PrinterView } from '../rows/printers.queries.ts'
import { readFrame } from './live.frames.ts'
import { ShownPrinter } from './shown.ts'

/** A heartbeat after this long without a push brings the object again (docs/wire/browsers.md 1). */
const STALE_PUSH_MS = 45_000

/** Whose page it is: a person's, or a holder of the printer's token (docs/wire/browsers.md 1). */
interface Viewer {
  readonly principal: Principal
  readonly printerId: PrinterId
  /** While they may act on it; who only looks may not. */
  readonly mayAct: () => Promise<Authorized<'control'> | null>
  readonly edge: Where
  /** Set when it came with the token: a new token shuts it out. */
  readonly token: string | null
}

/** One browser's page of one printer: told the whole of it, at once and on every change. */
class PrinterPage {
  readonly printer: ShownPrinter
  readonly #ctx: Ctx
  readonly #ws: WebSocket
  readonly #viewer: Viewer
  #pushedAt = 0
  #claim = ''
  #isBusy = false

  constructor(ctx: Ctx, ws: WebSocket, viewer: Viewer) {
    this.#ctx = ctx
    this.#ws = ws
    this.#viewer = viewer
    const { principal, printerId, mayAct, edge, token } = viewer
    this.printer = new ShownPrinter(ctx, {
      printerId,
      mayAct,
      edge,
      userId: principal.kind === 'user' || principal.kind === 'printer' ? actorOf(principal) : NO_ID,
      initiator: token === null ? 'web' : 'api',
      hasTerminal: true,
      say: (passthru) => sendBounded(ws, JSON.stringify({ passthru, type: WEB_MESSAGE })),
      onDirty: () => void this.#turn(),
    })
  }

  /** Hears of the printer from now on, and shows it. */
  async open(): Promise<void> {
    await this.printer.listen()
    this.printer.setViewing(true)
    // Also when a heartbeat was quicker: what came before it was listened to is seen now.
    this.printer.mark('rows')
  }

  /** Time passed: tells when what we claim about watching or the agent has changed with it. */
  tick(): void {
    this.printer.mark('time')
  }

  /** The browser is alive; it gets the object again when it has heard nothing for long. */
  heartbeat(): void {
    if (this.#ctx.clock.monotonic() - this.#pushedAt > STALE_PUSH_MS) this.printer.mark('rows')
  }

  /** Does what there is to do, one after the other. */
  async #turn(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      while (this.printer.isDirty && this.#ws.readyState === this.#ws.OPEN) await this.#show()
    } catch (error) {
      this.#ctx.log.warn(
        { err: error, printerId: this.printer.id },
        'a page could not be told of its printer',
      )
      // It comes back, and is told all of it then.
      if (!this.printer.isOnlyTime) this.#ws.terminate()
    } finally {
      this.#isBusy = false
    }
  }

  async #show(): Promise<void> {
    const { printer } = this
    if (printer.isGone) return this.#ws.close(CLOSE.revoked)
    printer.begin()
    await printer.readPresence()
    if (printer.needsRows) printer.take(await this.#read())
    if (printer.isGone) return this.#ws.close(CLOSE.revoked)
    const shown = printer.whole()
    const claim = claimOf(shown)
    if (printer.isOnlyTime && claim === this.#claim) return
    this.#claim = claim
    this.#pushedAt = this.#ctx.clock.monotonic()
    sendBounded(this.#ws, JSON.stringify(shown))
  }

  async #read(): Promise<PrinterView | undefined> {
    const { principal, printerId, token } = this.#viewer
    const scope = { principal, action: 'see', withArchived: token === null } as const
    const [view] = await findViews(this.#ctx.db, scope, printerId)
    return token === null || view?.printer.authToken === token ? view : undefined
  }
}

/** What we claim, without the clock's part in it. */
function claimOf({ watch, agent }: Printer): string {
  return `${watch.state} ${watch.code} ${agent.state}`
}

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
        const beside = { withArchived: true }
        const [printer] = await authorizePrinters(ctx, principal, [printerId.data], 'see', beside)
        if (printer === undefined) throw forbidden('Not found.')
        const { id } = printer
        const mayAct = async () =>
          (await authorizePrinters(ctx, principal, [id], 'control', beside))[0] ?? null
        return { principal, edge, printerId: id, mayAct, token: null }
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
        const mayAct = () => Promise.resolve(ofAgent(principal))
        return { principal, edge, printerId: found.id, mayAct, token }
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
    const frame = readFrame(frameBytes(data), isBinary)
    if (frame['passthru'] !== undefined) page.printer.passthru.ask(frame['passthru'])
    if (frame['still'] === true) page.printer.askForStill()
    page.heartbeat()
  })
  keepBrowser(ws)
  await page.open()
}
