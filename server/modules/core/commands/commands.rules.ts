import type { PrintId } from '../../../lib/id.ts'
import type { Envelope, Refusal } from './envelope.ts'

/** A command goes only to an agent heard from, by frame or pong, this recently (docs/rules/prints.md 4). */
export const HEARD_WITHIN_MS = 30_000
/** What is not flushed by then kills the socket. */
export const FLUSH_WITHIN_MS = 5_000
/** Messages other than commands may wait behind this many unsent bytes. */
const MAX_BUFFERED = 1_048_576

/** The state of the socket that an envelope arrived at. */
export interface HolderState {
  readonly epoch: number
  /** False once another socket has taken the lease. */
  readonly holdsLease: boolean
  readonly isOpen: boolean
  /** Milliseconds since the agent was last heard. */
  readonly silentMs: number
  readonly bufferedBytes: number
  readonly printId: PrintId | null
  readonly now: number
}

/** Why this envelope must not be written to this socket, or null when it may. Nothing is ever kept for later. */
export function refusalOf(envelope: Envelope, holder: HolderState): Refusal | null {
  if (envelope.epoch !== holder.epoch || !holder.holdsLease) return 'stale_holder'
  if (holder.now > envelope.expiresAt) return 'expired'
  if (!holder.isOpen) return 'offline'
  if (envelope.kind !== 'command') return holder.bufferedBytes > MAX_BUFFERED ? 'busy' : null
  if (holder.silentMs > HEARD_WITHIN_MS) return 'not_responding'
  if (holder.bufferedBytes > 0) return 'busy'
  if (envelope.printId !== null && envelope.printId !== (holder.printId ?? 'none')) return 'other_print'
  return null
}

/** What a printer does when it is paused, as its owner set it (docs/rules/prints.md 4). */
export interface PauseSettings {
  readonly retractOnPause: number
  readonly liftZOnPause: number
  readonly toolsOffOnPause: boolean
  readonly bedOffOnPause: boolean
}

/** Arguments of `pause`; `tools_off` and `bed_off` only when enabled (docs/wire/agents.md 7.1). */
export function pauseArgs(printer: PauseSettings): Record<string, number | boolean> {
  return {
    retract: printer.retractOnPause,
    lift_z: printer.liftZOnPause,
    ...(printer.toolsOffOnPause ? { tools_off: true } : {}),
    ...(printer.bedOffOnPause ? { bed_off: true } : {}),
  }
}
