import { randomUUID } from 'node:crypto'
import { CLOSE } from '@vigil/contract/sockets.ts'
import type { Ctx } from '../../../ctx.ts'
import { storableText } from '../../../lib/tolerant-json.ts'
import type { Line, Receiver } from '../../core/agents/index.ts'
import { agentKindOf, askAgent, type Question } from '../../core/passthru/index.ts'
import type { PrinterAway } from '../../core/presence/index.ts'
import { noteProgress } from '../phone-progress/index.ts'
import { StatusQueue } from '../statuses/queue.ts'
import { readStatusMessage } from '../statuses/report.rules.ts'
import { hideStatus, showStatus, type Taken } from '../statuses/statuses.service.ts'
import { awaitFacts } from './facts.service.ts'

type Why = Omit<PrinterAway, 'since'>

/** The agent's own answer is there in some milliseconds, and Moonraker's at once or not at all. */
const ANSWERS_IN_MS = 8_000
/** What Klipper says of itself changes while somebody mends it. */
const AGAIN_MS = 30_000
const MAX_WORDS = 500

const KLIPPER: Question = {
  target: 'moonraker_api',
  func: 'printer/objects/query',
  kwargs: { verb: 'get', webhooks: 'state,state_message' },
}
/** Moonraker answers this one though there is no Klipper. */
const MOONRAKER: Question = { target: 'moonraker_api', func: 'server/info', kwargs: { verb: 'get' } }
/**
 * Read-only calls that Moonraker answers in its own time: an answer that is ready only when the goodbye that follows at once has
 * been read has the agent knock for it (docs/wire/agents.md 8.3). One alone came too soon once in four.
 */
const LAST_CALLS = ['server/info', 'machine/system_info', 'server/config', 'server/history/totals']
const knockAgain = () => LAST_CALLS.map((func) => ({ passthru: { ...MOONRAKER, func, ref: randomUUID() } }))

/** Asks a Klipper agent which has lost its printer why, as long as it has, and notes that on its line. */
class Absence {
  readonly #ctx: Ctx
  readonly #line: Line
  #timer: NodeJS.Timeout | null = null

  constructor(ctx: Ctx, line: Line) {
    this.#ctx = ctx
    this.#line = line
  }

  begin(): void {
    if (this.#timer !== null) return
    this.#timer = setInterval(() => void this.#ask(), AGAIN_MS).unref()
    void this.#ask()
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  async #ask(): Promise<void> {
    const timer = this.#timer
    const isOver = () => timer === null || this.#timer !== timer
    const { printerId } = this.#line
    const ask = (question: Question) => askAgent(this.#ctx, printerId, question, ANSWERS_IN_MS)
    try {
      const why = klipperOf(await ask(KLIPPER)) ?? (isOver() ? null : moonrakerOf(await ask(MOONRAKER)))
      // It is well, and its agent has only not reported yet.
      if (why !== null && why !== 'ready' && !isOver()) this.#line.noteAway(why)
    } catch (error) {
      // `live` is away, or the server ends.
      this.#ctx.log.debug({ err: error, printerId }, 'why a printer is away could not be asked')
    }
  }
}

const fields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

const STATES = ['shutdown', 'error', 'startup', 'disconnected'] as const

/** What Klipper says of itself; null when that is nothing. */
function klipperOf(answer: unknown): Why | 'ready' | null {
  const { state, state_message: words } = fields(fields(fields(answer)['status'])['webhooks'])
  if (state === 'ready') return 'ready'
  const known = STATES.find((one) => one === state)
  if (known === undefined) return null
  const message = typeof words === 'string' ? storableText(words, MAX_WORDS).trim() : ''
  return { state: known, message: message === '' ? null : message }
}

/** The same by Moonraker, which is there when Klipper is not. */
function moonrakerOf(answer: unknown): Why | null {
  const known = STATES.find((one) => one === fields(answer)['klippy_state'])
  return known === undefined ? null : { state: known, message: null }
}

/** Takes an agent's statuses from one line: shows each at once, and brings the rows up to it. Null when the printer is no more. */
export async function openStatuses(ctx: Ctx, line: Line): Promise<Receiver<'status'> | null> {
  const beginning = await awaitFacts(ctx, line.printerId, () => line.isOpen)
  if (beginning === null) return null
  const { facts, shouldWatch } = beginning
  if (facts.isShown) line.noteReport('earlier')
  const queue = new StatusQueue(ctx, facts, {
    onTaken: (taken) => afterStatus(line, taken),
    isReplaced: () => line.isReplaced(),
  })
  const absence = new Absence(ctx, line)
  const isKlipper = () => agentKindOf(facts.settings.agentName) === 'klipper'
  return {
    get farewell() {
      return isKlipper() ? knockAgain() : undefined
    },
    greeting: { should_watch: shouldWatch },
    get printId() {
      return facts.print?.id ?? null
    },
    get settled() {
      return queue.settled
    },
    hear({ message: fields, bytes }) {
      const message = readStatusMessage(fields)
      const { isStale } = showStatus(ctx, facts, message)
      line.noteReport(message.status === null ? 'empty' : isStale ? 'late' : 'status')
      if (message.status !== null) absence.end()
      else if (isKlipper()) absence.begin()
      if (message.status !== null && !isStale && facts.print !== null)
        noteProgress(ctx, { printerId: facts.printerId, printId: facts.print.id })
      queue.add({ message, isStale, bytes })
    },
    end: () => absence.end(),
    leave: () => hideStatus(ctx, facts),
  }
}

function afterStatus(line: Line, { isGone, shouldWatch }: Taken): void {
  if (isGone) line.close(CLOSE.revoked, 'gone')
  else if (shouldWatch !== null) line.send({ remote_status: { should_watch: shouldWatch } })
}
