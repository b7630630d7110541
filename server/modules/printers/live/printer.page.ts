import { WEB_MESSAGE } from '@vigil/contract/core/passthru.ts'
import { CLOSE } from '@vigil/contract/sockets.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { WebSocket } from 'ws'
import { NO_ID } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { sendBounded } from '../../../http/outbox.ts'
import type { Principal } from '../../../http/principal.ts'
import type { Authorized } from '../../core/access/index.ts'
import { findViews, type PrinterView } from '../rows/printers.queries.ts'
import type { Where } from '../rows/printers.present.ts'
import { ShownPrinter } from './shown.ts'

/** A heartbeat after this long without a push brings the object again (docs/wire/browsers.md 1). */
const STALE_PUSH_MS = 45_000

/** Whose page it is: a person's, or a holder of the printer's token (docs/wire/browsers.md 1). */
export interface Viewer {
  readonly principal: Principal
  readonly printer: Authorized<'control'>
  readonly edge: Where
  /** Set when it came with the token: a new token shuts it out. */
  readonly token: string | null
}

/** One browser's page of one printer: told the whole of it, at once and on every change. */
export class PrinterPage {
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
    const { principal, printer, edge, token } = viewer
    this.printer = new ShownPrinter(ctx, {
      printer,
      edge,
      userId: principal.kind === 'user' || principal.kind === 'printer' ? principal.userId : NO_ID,
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
    const { principal, printer, token } = this.#viewer
    const scope = { principal, action: 'see', withArchived: token === null } as const
    const [view] = await findViews(this.#ctx.db, scope, printer.id)
    return token === null || view?.printer.authToken === token ? view : undefined
  }
}

/** What we claim, without the clock's part in it. */
function claimOf({ watch, agent }: Printer): string {
  return `${watch.state} ${watch.code} ${agent.state}`
}
