import type { PrinterBase } from '../watch/printer-base.ts'

/** From which version an agent can do it (docs/rules/pages.md 3, docs/wire/agents.md 9); null: never. */
const FROM = {
  quickTransitions: { octoprint_obico: '2.3.7', moonraker_obico: '1.4.2' },
  printFiles: { octoprint_obico: '2.3.0', moonraker_obico: '1.2.0' },
  browseFiles: { octoprint_obico: '2.3.0', moonraker_obico: '1.2.0' },
  webrtc: { octoprint_obico: '2.1.0', moonraker_obico: '0.3.0' },
  terminal: { octoprint_obico: '2.3.11', moonraker_obico: '1.4.4' },
  reprint: { octoprint_obico: '2.4.0', moonraker_obico: '1.4.3' },
  nozzleTest: { octoprint_obico: '2.4.6', moonraker_obico: '1.4.11' },
  tunnel: { octoprint_obico: '1.8.4', moonraker_obico: '1.3.0' },
  terminalToggle: { octoprint_obico: '2.4.7', moonraker_obico: null },
} satisfies Record<string, Record<string, string | null>>

export type Ability = keyof typeof FROM

/** Compares dotted versions by their numbers; a pre-release tail is ignored. */
export function isAtLeast(version: string, wanted: string): boolean {
  const numbers = (of: string) => of.split(/[.\-+]/).map((part) => Number.parseInt(part, 10) || 0)
  const [have, need] = [numbers(version), numbers(wanted)]
  for (let at = 0; at < Math.max(have.length, need.length); at++) {
    const difference = (have[at] ?? 0) - (need[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}

/** Whether this printer's agent is new enough; an agent that told neither name nor version is not. */
export function agentCan(
  { agent_name, agent_version }: Pick<PrinterBase, 'agent_name' | 'agent_version'>,
  ability: Ability,
): boolean {
  const table: Record<string, string | null> = FROM[ability]
  const from = agent_name && Object.hasOwn(table, agent_name) ? table[agent_name] : null
  return !!from && !!agent_version && isAtLeast(agent_version, from)
}

/** From which version on, for a sentence that says so. */
export function neededFor(ability: Ability): { octoprint: string; klipper: string } {
  const { octoprint_obico: octoprint, moonraker_obico: klipper } = FROM[ability]
  return { octoprint: octoprint ?? '–', klipper: klipper ?? '–' }
}
