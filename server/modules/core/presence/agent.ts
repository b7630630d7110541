import type { PrinterAway as PrinterAwayOfWire } from '@vigil/contract/printers/printers.ts'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { keys } from './names.ts'
import { parseKept } from './parse.ts'

/** A record that is not renewed this long means offline: its node is gone. */
const AGENT_TTL_MS = 150_000
/** An agent that nobody has heard for so long does not respond. */
export const SILENT_AFTER_MS = 60_000
/** The record is refreshed at most so often. */
export const RECORD_EVERY_MS = 10_000

/** The agent is there and its printer is not: what its Klipper is, if it says, and in which words. */
export interface PrinterAway extends Omit<PrinterAwayOfWire, 'since'> {
  /** Milliseconds since 1970. */
  readonly since: number
}

/** How the agent stands, as the owning node last saw it. */
export interface AgentRecord {
  readonly state: 'connected' | 'waiting' | 'not_responding'
  /** Milliseconds since 1970, for people to read; refreshed coarsely (every 10 s at most). */
  readonly seenAt: number
  /** When the status that stands in `live` came, in milliseconds since 1970, as coarsely; null: on an earlier socket. */
  readonly reportedAt: number | null
  /** Of the lease of the socket it was seen on; 0 while the agent is waited for after a stop. */
  readonly epoch: number
  /** The socket is open, yet no status has come for minutes: only a restart helps (docs/wire/agents.md 8.2 d). */
  readonly needsRestart: boolean
  /** The agent says that it has lost its printer. */
  readonly away?: PrinterAway | null
  /** The address under which the agent reached us, without a slash at its end: what it fetches from us lies there. */
  readonly reachesUsAt?: string
}

/** How the printer's agent stands; null when it is offline. One that nobody hears does not respond, whatever its record says. */
export async function readAgent(
  { live }: Pick<Ctx, 'live'>,
  printerId: PrinterId,
): Promise<AgentRecord | null> {
  const [stored, heard] = await Promise.all([
    live.get(keys.agent(printerId)),
    live.get(keys.heard(printerId)),
  ])
  return agentFrom(stored, heard)
}

/** The same, of what stands under `keys.agent` and `keys.heard`. */
export function agentFrom(stored: Buffer | null, heard: Buffer | null): AgentRecord | null {
  const record = parseKept<AgentRecord>(stored)
  return record !== null && heard === null ? { ...record, state: 'not_responding' } : record
}

/** Says how an agent stands that was last heard `silentMs` ago. */
export async function putAgent(
  { live }: Pick<Ctx, 'live'>,
  printerId: PrinterId,
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
export async function removeAgent({ live }: Pick<Ctx, 'live'>, printerId: PrinterId): Promise<void> {
  await Promise.all([live.put(keys.agent(printerId), null, 0), live.put(keys.heard(printerId), null, 0)])
}
