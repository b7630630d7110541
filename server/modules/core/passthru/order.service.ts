import { fieldsOf } from '@vigil/contract/fields.ts'
import { randomUUID } from 'node:crypto'
import { PASSTHRU_TIMEOUT_MS, type PassthruCall } from '@vigil/contract/core/passthru.ts'
import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Authorized } from '../access/index.ts'
import { type EnvelopeAnswer, post } from '../commands/index.ts'
import { onPassthru, type PassthruItem } from '../presence/index.ts'

/** A call of the server itself that changes something at a printer; which it may be is the caller's to know: no list is order. */
export interface ServerCall {
  readonly call: Omit<PassthruCall, 'ref'>
  /** Of the envelope: one that is sent twice is obeyed once. */
  readonly id: string
  /** `none`: for an idle printer alone. */
  readonly printId: PrintId | 'none' | null
  /** Not sent any more after this. */
  readonly expiresInMs: number
}

/** What an agent said: what the call returned, or why not in its own words. */
export interface AgentReply {
  readonly ret: unknown
  readonly refusal: string | null
}

/** Whether it was sent, and what the agent says to it; null when it says nothing within a minute. */
export interface Ordered {
  readonly sent: EnvelopeAnswer
  readonly reply: Promise<AgentReply | null>
}

/** Has a printer's agent do something, as hard-checked as a command: to a live socket, now or never, once. */
export async function orderAgent(
  ctx: Ctx,
  // Who may change a printer may act on it, too.
  printer: Authorized<'control'> | Authorized<'edit'>,
  order: ServerCall,
): Promise<Ordered> {
  const ref = `${order.id}-${randomUUID()}`
  const { promise, resolve } = Promise.withResolvers<AgentReply | null>()
  const stop = await onPassthru(ctx, printer.id, (news) => {
    if (news.isTerminal) return
    const item = news.read()
    if (String(item['ref']) !== ref) return
    if (news.fetch === undefined) resolve(readReply(item))
    else
      news.fetch().then(
        (whole) => resolve(readReply(whole)),
        () => resolve(null),
      )
  })
  const timer = setTimeout(resolve, PASSTHRU_TIMEOUT_MS, null).unref()
  void promise.finally(() => {
    clearTimeout(timer)
    stop()
  })
  const frame = { passthru: { ref, ...order.call } }
  const { printId, expiresInMs, id } = order
  const sent = await post(ctx, printer.id, { kind: 'command', printId, frame, expiresInMs, id })
  if (!sent.sent && sent.reason !== 'unanswered') resolve(null)
  return { sent, reply: promise }
}

/** OctoPrint's plugin answers well at times, and says in the answer that it did not do it (docs/wire/agents.md 7.2). */
function readReply({ ret, error }: PassthruItem): AgentReply {
  const said = error ?? fieldsOf(ret)['error']
  if (said === undefined || said === null) return { ret, refusal: null }
  return { ret, refusal: typeof said === 'string' ? said : JSON.stringify(said) }
}
