import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { TunnelUsage } from '@vigil/contract/remote/tunnels.ts'
import { agentCan } from '../../../printer/driver/versions.ts'

/** Why a printer's own page cannot be shown now. */
export type Hurdle = 'waiting' | 'offline' | 'tooOld' | 'overCap'

/** So far over the cap nobody is stopped, as the server has it. */
const GRACE = 1.1

/** What stands between an owner and the printer's own page; null when nothing does. The printer itself may be off. */
export function hurdleOf(printer: Printer, usage: TunnelUsage | undefined): Hurdle | null {
  const { state } = printer.agent
  if (state === 'offline') return printer.agent.after_restart ? 'waiting' : 'offline'
  if (state === 'waiting') return 'waiting'
  if (printer.agent_version && !agentCan(printer, 'tunnel')) return 'tooOld'
  return usage && usage.monthly_cap >= 0 && usage.total > usage.monthly_cap * GRACE ? 'overCap' : null
}

/** Green, amber from four fifths of the cap on, red at it. */
export function toneOf(share: number): 'good' | 'warn' | 'bad' {
  if (share >= 1) return 'bad'
  return share >= 0.8 ? 'warn' : 'good'
}
