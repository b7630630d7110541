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
