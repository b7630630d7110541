import { randomUUID } from 'node:crypto'
import type { PrintId, PrinterId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Authorized } from '../access/index.ts'
import { commands } from '../../../engines/metrics/index.ts'
import { type AuditEntry, writeAudit } from '../events/index.ts'
import { FLUSH_WITHIN_MS } from './commands.rules.ts'
import { type Envelope, type EnvelopeAnswer, envelopeAnswer, type Refusal } from './envelope.ts'
import { askLine, readAgent } from '../presence/index.ts'

/** A command of a person or of the detector. `printId`: the print it is meant for, or null for any. */
export interface Command {
  readonly printer: Authorized<'control'>
  readonly printId: PrintId | null
  readonly cmd: 'pause' | 'resume' | 'cancel'
  readonly args: Readonly<Record<string, number | boolean>>
  readonly initiator: 'web' | 'api' | 'system'
  readonly userId: UserId | null
  readonly expiresInMs?: number
  /** Milliseconds since 1970, when that was decided on before, too. */
  readonly expiresAt?: number
  /** Of the envelope, when it was decided on before; one of its own otherwise. */
  readonly id?: string
}

/** What came of a command: written to a live socket, or dropped and why (`unanswered`: or written, nobody knows). */
export type CommandAnswer =
  | { readonly sent: true; readonly at: Date }
  | { readonly sent: false; readonly reason: Refusal }

const EXPIRES_IN_MS = 10_000
/** The way there and back between nodes. */
const TRAVEL_MS = 500

/** Milliseconds after which nothing more can come of a command that expires in so many. */
export const settledAfter = (expiresInMs: number): number => expiresInMs + FLUSH_WITHIN_MS + TRAVEL_MS

/**
 * Sends a command to the printer's agent, now or never, and writes an audit row of what came of it
 * (docs/rules/prints.md 4; docs/wire/agents.md 7.1).
 */
export async function sendCommand(ctx: Ctx, command: Command): Promise<CommandAnswer> {
  const answer = await deliverCommand(ctx, command)
  const entry = auditOf(command, answer)
  // The command is out or it is not: a database that is away changes nothing about that.
  await writeAudit(ctx, entry).catch((error: unknown) =>
    ctx.log.error({ err: error, ...entry }, 'the audit of a command was not written'),
  )
  return answer
}

/** The same without the audit row, which the caller writes with what else it knows: `auditOf`. */
export async function deliverCommand(ctx: Ctx, command: Command): Promise<CommandAnswer> {
  const { cmd, args, initiator, printer, printId, expiresInMs = EXPIRES_IN_MS, expiresAt, id } = command
  const frame = { commands: [{ cmd, args, initiator }] }
  const letter = { kind: 'command', printId, frame, expiresInMs, expiresAt, id } as const
  const answer = await post(ctx, printer.id, letter)
  commands.inc({ command: cmd, outcome: answer.sent ? 'sent' : answer.reason })
  return answer.sent ? { sent: true, at: new Date(answer.at) } : answer
}

/** Who wanted a command, and what came of it. */
export function auditOf(command: Command, answer: CommandAnswer): AuditEntry {
  const { cmd, args, initiator: actor, userId, printer, printId } = command
  const outcome = answer.sent ? 'sent' : answer.reason
  return {
    actor,
    userId,
    printerId: printer.id,
    printId,
    action: `command.${cmd}`,
    outcome,
    detail: { args },
  }
}

/** Tells the printer's agent something that is not worth keeping: `remote_status`, a passthru call. */
export async function sendMessage(
  ctx: Ctx,
  printerId: PrinterId,
  frame: Record<string, unknown>,
): Promise<EnvelopeAnswer> {
  return await post(ctx, printerId, { kind: 'message', printId: null, frame, expiresInMs: EXPIRES_IN_MS })
}

type Letter = Pick<Envelope, 'kind' | 'printId' | 'frame'> & {
  readonly expiresInMs: number
  readonly expiresAt?: number | undefined
  readonly id?: string | undefined
}

/** Puts a letter into an envelope for the current holder and waits for what comes of it. */
export async function post(ctx: Ctx, printerId: PrinterId, letter: Letter): Promise<EnvelopeAnswer> {
  const record = await readAgent(ctx, printerId)
  // Epoch 0: this server or another has stopped, and no socket has taken the agent's place yet.
  if (record === null || record.epoch === 0) return { sent: false, reason: 'offline' }
  const now = ctx.clock.now()
  const { expiresInMs, expiresAt = now + expiresInMs, id = randomUUID(), ...content } = letter
  if (now > expiresAt) return { sent: false, reason: 'expired' }
  const sealed: Envelope = { ...content, id, epoch: record.epoch, expiresAt }
  const line = { printerId, epoch: record.epoch }
  const answer = await askLine(ctx, line, sealed, settledAfter(expiresAt - now))
  return answer === null ? { sent: false, reason: 'unanswered' } : envelopeAnswer.parse(answer)
}
