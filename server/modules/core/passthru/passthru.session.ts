import { fieldsOf } from '@vigil/contract/fields.ts'
import {
  PASSTHRU_ERRORS,
  PASSTHRU_TIMEOUT_MS,
  type PassthruCall,
  type PassthruRefusal,
} from '@vigil/contract/core/passthru.ts'
import type { Ctx } from '../../../ctx.ts'
import { isFirst } from '../../../http/limits.ts'
import { Bucket } from '../../../lib/bucket.ts'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Authorized } from '../access/index.ts'
import { post } from '../commands/index.ts'
import { writeAudit } from '../events/index.ts'
import type { PassthruItem, PassthruNews } from '../presence/index.ts'
import { agentKindOf, checkCall } from './passthru.rules.ts'

/** Calls at once, and a second after that: a held jog button stays below it. */
const RATE = { burst: 40, perSecond: 10 } as const
const MAX_DETAIL = 2_000

/** What an audit row keeps of a call: no signatures of addresses, and not a whole script. */
function auditDetail({ func, args, kwargs }: PassthruCall): Record<string, unknown> {
  const json = JSON.stringify({ func, args, kwargs }, (key, value: unknown) =>
    key === 'url' && typeof value === 'string' ? value.split('?', 1)[0] : value,
  )
  if (json.length <= MAX_DETAIL) return { ...fieldsOf(JSON.parse(json)) }
  return { func, cut: json.slice(0, MAX_DETAIL).toWellFormed() }
}

/** What one socket may wait for at once. */
const MAX_PENDING = 100
/** An order that waited this long behind others is not given any more. */
const LATE_MS = 10_000

export interface PassthruOptions {
  readonly printerId: PrinterId
  /** The printer, while who asks may act on it: looked at for each call, as somebody may be shut out meanwhile. */
  readonly mayAct: () => Promise<Authorized<'control'> | null>
  readonly userId: UserId
  readonly initiator: 'web' | 'api'
  /** The printer's agent, as far as it is known by now. */
  readonly agentName: () => Promise<string | null>
  /** Takes a text `{"passthru": …}` for the browser. */
  readonly say: (passthru: Record<string, unknown>) => void
  /** Tests do not wait a minute. */
  readonly timeoutMs?: number
}

/** One browser socket's talk with one printer's agent: what is asked, who asked, what comes back to whom. */
export class Passthru {
  readonly #ctx: Ctx
  readonly #options: PassthruOptions
  /** Questions of this socket without an answer, by their ref as text: agents may turn numbers into text. */
  readonly #pending = new Map<string, NodeJS.Timeout>()
  readonly #bucket: Bucket
  #order: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(ctx: Ctx, options: PassthruOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#bucket = new Bucket(() => ctx.clock.monotonic(), RATE)
  }

  /** Something that the browser put under `passthru`. Calls reach the agent in the order in which they came. */
  ask(item: unknown): void {
    const ref = refOf(item)
    if (ref !== null && this.#pending.has(String(ref))) return
    if (!this.#bucket.take() || this.#pending.size >= MAX_PENDING) return this.#refuse(ref, 'throttled')
    if (ref !== null) this.#expect(ref)
    const at = this.#ctx.clock.monotonic()
    this.#order = this.#order
      .then(() => this.#pass(item, at))
      .catch((error: unknown) => {
        this.#ctx.log.warn(
          { err: error, printerId: this.#options.printerId },
          'a call was not passed through',
        )
        this.#refuse(ref, 'offline')
      })
  }

  /** Something that the agent put under `passthru`. */
  hear(news: PassthruNews): void {
    const item = news.read()
    const { terminal_feed, printer_event } = item
    const ref = refOf(item)
    if (ref !== null) {
      if (!this.#settle(ref)) return
      if (news.fetch === undefined) this.#answer(item)
      else void this.#fetch(ref, news.fetch)
    } else if (terminal_feed !== undefined) this.#options.say({ terminal_feed })
    else if (printer_event !== undefined) this.#options.say({ printer_event })
  }

  #answer({ ref, ret, error }: PassthruItem): void {
    this.#options.say({
      ref,
      ...(ret === undefined ? {} : { ret }),
      ...(error === undefined ? {} : { error }),
    })
  }

  /** A large answer comes at the pace of this node; one that got lost on its way is none. */
  async #fetch(ref: string | number, fetch: () => Promise<PassthruItem>): Promise<void> {
    try {
      const item = await fetch()
      if (!this.#isClosed) this.#answer(item)
    } catch (error) {
      this.#ctx.log.warn({ err: error, printerId: this.#options.printerId }, 'a large answer was lost')
      this.#refuse(ref, 'timeout')
    }
  }

  /** The socket is gone: nobody waits any more. */
  close(): void {
    this.#isClosed = true
    for (const timer of this.#pending.values()) clearTimeout(timer)
    this.#pending.clear()
  }

  async #pass(item: unknown, at: number): Promise<void> {
    const printer = await this.#options.mayAct()
    if (printer === null) return this.#refuse(refOf(item), 'not_allowed')
    const printerId = printer.id
    const checked = checkCall(agentKindOf(await this.#options.agentName()), item)
    if (!checked.ok) return this.#refuse(checked.ref, checked.why)
    const { call, audit } = checked
    const key = `passthru:${printerId}:${JSON.stringify(call.ref)}`
    if (!(await isFirst(this.#ctx, key, PASSTHRU_TIMEOUT_MS))) return this.#refuse(call.ref, 'repeated')
    if (this.#isClosed) return
    const isLate = this.#ctx.clock.monotonic() - at > LATE_MS
    // What moves or heats is held to what holds for commands: a live socket, heard from just now, or not at all.
    const kind = audit === null ? 'message' : 'command'
    const letter = { kind, printId: null, frame: { passthru: call }, expiresInMs: LATE_MS } as const
    const answer = isLate ? LATE : await post(this.#ctx, printerId, letter)
    if (!answer.sent) this.#refuse(call.ref, 'offline')
    if (audit !== null) void this.#keep(printer, audit, call, answer.sent ? 'sent' : answer.reason)
  }

  /** Who asked for it, whatever came of it; a database that is away stops no call. */
  async #keep(
    { id: printerId }: Authorized<'control'>,
    action: string,
    call: PassthruCall,
    outcome: string,
  ): Promise<void> {
    const { initiator, userId } = this.#options
    const entry = {
      actor: initiator,
      userId,
      printerId,
      printId: null,
      action: `passthru.${action}`,
      outcome,
    }
    await writeAudit(this.#ctx, { ...entry, detail: auditDetail(call) }).catch((error: unknown) =>
      this.#ctx.log.error({ err: error, printerId, action, outcome }, 'the audit of a call was not written'),
    )
  }

  #expect(ref: string | number): void {
    const timer = setTimeout(
      () => this.#refuse(ref, 'timeout'),
      this.#options.timeoutMs ?? PASSTHRU_TIMEOUT_MS,
    )
    this.#pending.set(String(ref), timer.unref())
  }

  /** True when this socket waited for it. */
  #settle(ref: string | number): boolean {
    clearTimeout(this.#pending.get(String(ref)))
    return this.#pending.delete(String(ref))
  }

  #refuse(ref: string | number | null, code: PassthruRefusal): void {
    if (this.#isClosed) return
    if (ref !== null) this.#settle(ref)
    this.#options.say({ ref, error: PASSTHRU_ERRORS[code], code })
  }
}

const LATE = { sent: false, reason: 'expired' } as const

/** The ref of a frame that may be no call at all; agents and the contract know texts and numbers. */
function refOf(item: unknown): string | number | null {
  const { ref } = fieldsOf(item)
  if (typeof ref === 'number') return ref
  return typeof ref === 'string' && ref.length > 0 && ref.length <= 200 ? ref : null
}
