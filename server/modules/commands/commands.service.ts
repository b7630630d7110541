import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../ctx.ts'
import { writeAudit } from '../events/index.ts'
import { FLUSH_WITHIN_MS } from './commands.rules.ts'
import { type Envelope, type EnvelopeAnswer, envelopeAnswer, type Refusal } from './envelope.ts'
import { AGENT_TTL_MS, type AgentRecord, keys, RECORD_EVERY_MS, SILENT_AFTER_MS, topics } from './keys.ts'

/** A command of a person or of the detector. `printId`: the print it is meant for, or null for any. */
export interface Command {
  readonly printerId: number
  readonly printId: number | null
  readonly cmd: 'pause' | 'resume' | 'cancel'
  readonly args: Readonly<Record<string, number | boolean>>
  readonly initiator: 'web' | 'api' | 'system'
  readonly userId: number | null
  readonly expiresInMs?: number
}

/** What came of a command: written to a live socket, or dropped and why. */
export type CommandAnswer =
  | { readonly sent: true; readonly at: Date }
  | { readonly sent: false; readonly reason: Refusal }

const EXPIRES_IN_MS = 10_000
/** The way there and back between nodes. */
const TRAVEL_MS = 500

/**
 * Sends a command to the printer's agent, now or never, and writes an audit row of what came of it
 * (issue 3, part 3; agent-protocol 3.6.1).
 */
export async function sendCommand(ctx: Ctx, command: Command): Promise<CommandAnswer> {
  const { cmd, args, initiator, printerId, printId, userId } = command
  const frame = { commands: [{ cmd, args, initiator }] }
  const answer = await post(ctx, printerId, {
    kind: 'command',
    printId,
    frame,
    expiresInMs: command.expiresInMs ?? EXPIRES_IN_MS,
  })
  const outcome = answer.sent ? 'sent' : answer.reason
  // The command is out or it is not: a database that is away changes nothing about that.
  await writeAudit(ctx, {
    actor: initiator,
    userId,
    printerId,
    printId,
    action: `command.${cmd}`,
    outcome,
    detail: { args },
  }).catch((error: unknown) =>
    ctx.log.error({ err: error, printerId, cmd, outcome }, 'the audit of a command was not written'),
  )
  return answer.sent ? { sent: true, at: new Date(answer.at) } : answer
}

/** Tells the printer's agent something that is not worth keeping: `remote_status`, a passthru call. */
export async function sendMessage(
  ctx: Ctx,
  printerId: number,
  frame: Record<string, unknown>,
): Promise<EnvelopeAnswer> {
  return await post(ctx, printerId, { kind: 'message', printId: null, frame, expiresInMs: EXPIRES_IN_MS })
}

/** Closes every socket of the printer's agent, on all nodes, at once; never with 4321 (agent-protocol 3.8). */
export function disconnectAgent(ctx: Ctx, printerId: number, why: string): void {
  ctx.live.publish(topics.agentControl(printerId), JSON.stringify({ close: why }))
}

/** How the printer's agent stands; null when it is offline. One that nobody hears does not respond, whatever its record says. */
export async function agentRecordOf(
  { live }: Pick<Ctx, 'live'>,
  printerId: number,
): Promise<AgentRecord | null> {
  const [stored, heard] = await Promise.all([
    live.get(keys.agent(printerId)),
    live.get(keys.heard(printerId)),
  ])
  if (stored === null) return null
  const record = JSON.parse(stored.toString()) as AgentRecord
  return heard === null ? { ...record, state: 'not_responding' } : record
}

/** Says how an agent stands that was last heard `silentMs` ago. */
export async function writeAgentRecord(
  { live }: Pick<Ctx, 'live'>,
  printerId: number,
  record: AgentRecord,
  silentMs: number,
): Promise<void> {
  const heardFor = SILENT_AFTER_MS + RECORD_EVERY_MS - silentMs
  await Promise.all([
    live.put(keys.agent(printerId), JSON.stringify(record), AGENT_TTL_MS),
    live.put(keys.heard(printerId), record.state === 'not_responding' ? null : '1', Math.max(1, heardFor)),
  ])
}

/** The agent is offline. */
export async function removeAgentRecord({ live }: Pick<Ctx, 'live'>, printerId: number): Promise<void> {
  await Promise.all([live.put(keys.agent(printerId), null, 0), live.put(keys.heard(printerId), null, 0)])
}

type Letter = Pick<Envelope, 'kind' | 'printId' | 'frame'> & { readonly expiresInMs: number }

/** Puts a letter into an envelope for the current holder and waits for what comes of it. */
export async function post(ctx: Ctx, printerId: number, letter: Letter): Promise<EnvelopeAnswer> {
  const record = await agentRecordOf(ctx, printerId)
  if (record === null) return { sent: false, reason: 'offline' }
  const { expiresInMs, ...content } = letter
  const sealed: Envelope = {
    ...content,
    id: randomUUID(),
    epoch: record.epoch,
    expiresAt: ctx.clock.now() + expiresInMs,
  }
  const patience = expiresInMs + FLUSH_WITHIN_MS + TRAVEL_MS
  const answer = await ctx.live.request(
    topics.agent(printerId, record.epoch),
    JSON.stringify(sealed),
    patience,
  )
  if (answer === null) return { sent: false, reason: 'not_responding' }
  return envelopeAnswer.parse(JSON.parse(answer.toString()))
}
