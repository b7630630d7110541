import type { AgentGCodeFile, AgentPrinterReply } from '@vigil/contract/agents.ts'
import type { AgentPrinter } from './agents.queries.ts'
import type { FileRow } from './files.queries.ts'

/** What an agent learns at start; `id` is a truthy number, or OctoPrint's agent stays silent (agent-protocol 2.2). */
export function presentAgentPrinter({ id, name, isPro, retractOnPause }: AgentPrinter): AgentPrinterReply {
  return { user: { is_pro: isPro }, printer: { is_pro: isPro, id, name, retract_on_pause: retractOnPause } }
}

/** A GCodeFile of the wire, as agents get it (api-contract 1.6). */
export function presentFile(file: FileRow): AgentGCodeFile {
  return {
    id: file.id,
    user: file.userId,
    resident_printer: file.residentPrinterId,
    deleted: file.deletedAt?.toISOString() ?? null,
    deleted_by_cascade: false,
    filename: file.filename,
    safe_filename: file.safeFilename,
    parent_folder: null,
    url: file.url,
    num_bytes: file.numBytes,
    agent_signature: file.agentSignature,
    metadata_json: file.metadataJson,
    filament_total: file.filamentTotal,
    estimated_time: file.estimatedTime,
    thumbnail1_url: null,
    thumbnail2_url: null,
    thumbnail3_url: null,
    created_at: file.createdAt.toISOString(),
    updated_at: file.updatedAt.toISOString(),
  }
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
