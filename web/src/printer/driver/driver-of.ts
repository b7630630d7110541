import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Driver } from './driver.ts'
import { klipper } from './klipper.ts'
import { octoprint } from './octoprint.ts'

/** An agent that never named itself is an old OctoPrint plugin (docs/wire/agents.md 9). */
export function driverOf({ agent_name }: Pick<Printer, 'agent_name'>): Driver {
  return agent_name?.startsWith('moonraker') ? klipper : octoprint
}
