import type { AgentPrinterReply } from '@vigil/contract/core/agents.ts'
import type { AgentPrinter } from '../statuses/reports.queries.ts'

/** What an agent learns at start; `id` is a truthy number, or OctoPrint's agent stays silent (docs/wire/agents.md 3.1). */
export function presentAgentPrinter({ id, name, isPro, retractOnPause }: AgentPrinter): AgentPrinterReply {
  return { user: { is_pro: isPro }, printer: { is_pro: isPro, id, name, retract_on_pause: retractOnPause } }
}
