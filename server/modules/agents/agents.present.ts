import type { AgentPrinterReply } from '@vigil/contract/agents.ts'
import type { AgentPrinter } from './agents.queries.ts'

/** What an agent learns at start; `id` is a truthy number, or OctoPrint's agent stays silent (agent-protocol 2.2). */
export function presentAgentPrinter({ id, name, isPro, retractOnPause }: AgentPrinter): AgentPrinterReply {
  return { user: { is_pro: isPro }, printer: { is_pro: isPro, id, name, retract_on_pause: retractOnPause } }
}

/** First-layer scanning is not offered: an empty object would switch it on (agent-protocol 2.6). */
export function presentExt(printerId: number) {
  return {
    ext: {
      printer: printerId,
      nozzlecam_url: '',
      first_layer_scan_opted_in: false,
      first_layer_scan_zhop: 4,
      first_layer_scan_retract: 6.5,
      first_layer_scan_retract_speed: 5,
      first_layer_scan_cooldown_temp: 170,
    },
  }
}
