import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { statusOf } from '@vigil/contract/core/status.ts'
import type { Macro, MacroReason } from '@vigil/contract/printers/macros.ts'
import type { Ctx } from '../../../ctx.ts'
import type { PrinterId, PrintId, UserId } from '../../../lib/id.ts'
import type { Authorized } from '../../core/access/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { agentKindOf, askAgent, orderAgent } from '../../core/passthru/index.ts'
import { readPresence } from '../../core/presence/index.ts'
import { lineOf, macrosIn, notNow } from './macros.rules.ts'

interface MacroPrinter {
  readonly id: PrinterId
  readonly agentName: string | null
  readonly currentPrintId: PrintId | null
}

const ANSWERS_IN_MS = 10_000
const EXPIRES_IN_MS = 10_000
/** What is over by then was short; a bed mesh or a heating takes minutes, and the agent answers when it is over. */
const PATIENCE_MS = 4_000

/** Macros could not be told, or one was not run; `words` are the printer's own. */
export interface MacroRefusal {
  readonly reason: MacroReason
  readonly words?: string
}

/** The macros that a printer's Klipper has now. */
export async function findMacros(ctx: Ctx, printer: MacroPrinter): Promise<readonly Macro[] | MacroRefusal> {
  if (agentKindOf(printer.agentName) !== 'klipper') return { reason: 'not_klipper' }
  const { agent } = await readPresence(ctx, printer.id)
  if (agent === null || agent.epoch === 0) return { reason: 'off' }
  const question = {
    target: 'moonraker_api',
    func: 'printer/objects/query',
    kwargs: { verb: 'get', configfile: 'settings' },
  }
  return macrosIn(await askAgent(ctx, printer.id, question, ANSWERS_IN_MS)) ?? { reason: 'no_answer' }
}

/** A macro that somebody wants run. */
export interface Run {
  readonly printer: Authorized<'control', MacroPrinter>
  readonly name: string
  readonly params: Readonly<Record<string, string>>
  readonly by: { readonly actor: 'web' | 'api'; readonly userId: UserId }
}

/** Runs a macro, unless a print is under way; whether it is over already. One that begins meanwhile is in time to refuse it, too. */
export async function runOn(ctx: Ctx, run: Run): Promise<{ readonly done: boolean } | MacroRefusal> {
  const { printer, name, params } = run
  if (agentKindOf(printer.agentName) !== 'klipper') return { reason: 'not_klipper' }
  const { status, agent } = await readPresence(ctx, printer.id)
  const reading = statusOf(status)
  if (agent === null || agent.epoch === 0 || reading === null) return { reason: 'off' }
  const why = notNow(reading)
  if (why !== null) return { reason: why }
  const script = lineOf(name, params)
  const { sent, reply } = await orderAgent(ctx, printer, {
    call: { target: 'moonraker_api', func: 'printer/gcode/script', kwargs: { verb: 'post', script } },
    id: `macro-${randomUUID()}`,
    printId: printer.currentPrintId ?? 'none',
    expiresInMs: EXPIRES_IN_MS,
  })
  await audit(ctx, run, script, sent.sent ? 'sent' : sent.reason)
  if (!sent.sent) return { reason: NOT_SENT[sent.reason] ?? 'not_sent' }
  const answer = await Promise.race([reply, sleep(PATIENCE_MS, undefined, { ref: false })])
  if (answer === undefined) return { done: false }
  if (answer === null) return { reason: 'no_answer' }
  return answer.refusal === null ? { done: true } : { reason: 'refused', words: answer.refusal.slice(0, 500) }
}

const NOT_SENT: Readonly<Record<string, MacroReason | undefined>> = {
  offline: 'off',
  other_print: 'printing',
  unanswered: 'no_answer',
}

/** Who wanted it, whatever came of it. */
async function audit(ctx: Ctx, { printer, by }: Run, script: string, outcome: string): Promise<void> {
  const entry = {
    ...by,
    printerId: printer.id,
    printId: printer.currentPrintId,
    action: 'macro.run',
    outcome,
    detail: { script },
  }
  await writeAudit(ctx, entry).catch((error: unknown) =>
    ctx.log.error({ err: error, ...entry }, 'the audit of a macro was not written'),
  )
}
