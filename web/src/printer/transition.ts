import type { PrinterEvent } from '@vigil/contract/core/events.ts'
import { agentCan } from './driver/versions.ts'
import type { StateWord } from './state.ts'

/** States between a command and the printer's answer to it (docs/rules/pages.md 2). */
export type TransitionName = Extract<
  StateWord,
  'G-Code Downloading' | 'Starting' | 'Pausing' | 'Resuming' | 'Cancelling'
>

/** While the printer still reports one of these, it has not obeyed yet. */
const ORIGINS: Record<TransitionName, readonly string[]> = {
  'G-Code Downloading': ['Operational'],
  Starting: ['Operational'],
  Pausing: ['Printing'],
  Resuming: ['Paused'],
  Cancelling: ['Printing', 'Paused'],
}

export interface Transition {
  name: TransitionName
  /** ms since 1970 when we stop waiting. */
  until: number
}

export function isTransitionName(name: unknown): name is TransitionName {
  return typeof name === 'string' && Object.hasOwn(ORIGINS, name)
}

/** Still under way, obeyed, or not answered in time. */
export function judge(
  transition: Transition,
  reported: string | null,
  now: number,
): 'waiting' | 'done' | 'late' {
  if (reported !== null && !ORIGINS[transition.name].includes(reported)) return 'done'
  return now >= transition.until ? 'late' : 'waiting'
}

/** Newer agents answer at once; older ones report every now and then. */
export function patienceMs(agentName: string | null, agentVersion: string | null): number {
  const quick = agentCan({ agent_name: agentName, agent_version: agentVersion }, 'quickTransitions')
  return quick ? 15_000 : 300_000
}

/** What is left in the feed by what was awaited; a print that ended meanwhile takes no command any more. */
export const LEAVES: Record<TransitionName, readonly string[]> = {
  'G-Code Downloading': ['STARTED'],
  Starting: ['STARTED'],
  Pausing: ['PAUSED', 'ENDED'],
  Resuming: ['RESUMED', 'ENDED'],
  Cancelling: ['ENDED'],
}
/** The clocks of browser and server agree so far. */
const SKEW_MS = 3_000
type Told = Pick<PrinterEvent, 'printer' | 'event_type' | 'created_at'>

/** Whether one of these events is what was awaited of a printer since `begun`, in ms on the server's clock. */
export const isAmong = (events: readonly Told[], printerId: number, name: TransitionName, begun: number) =>
  events.some(
    (event) =>
      event.printer === printerId &&
      LEAVES[name].includes(event.event_type) &&
      Date.parse(event.created_at) >= begun - SKEW_MS,
  )
