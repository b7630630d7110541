import type { PrinterId } from '../../../lib/id.ts'
/** Names in `live` of what is known of a printer. Only this room uses them; tests may. */
export const keys = {
  /** Last status as JSON text. Absent: offline. */
  status: (printerId: PrinterId) => `printer:${printerId}:status`,
  /** `AgentRecord` as JSON text. Absent: offline. */
  agent: (printerId: PrinterId) => `printer:${printerId}:agent`,
  /** There while the agent is heard: it ages in the store, so that no node's time of day decides who lives. */
  heard: (printerId: PrinterId) => `printer:${printerId}:heard`,
  /** `PictureRecord` as JSON text. Absent: no picture. */
  picture: (printerId: PrinterId) => `printer:${printerId}:pic`,
  /** When the detector was last given a picture of the printer, by whichever node. */
  look: (printerId: PrinterId) => `printer:${printerId}:look`,
  /** Lease of the node whose socket speaks for the printer's agent. */
  socket: (printerId: PrinterId) => `agent:${printerId}:socket`,
  /** Set while a second agent with the same token is turned away (docs/wire/agents.md 8.2). */
  silenced: (printerId: PrinterId) => `agent:${printerId}:silenced`,
} as const

/** Topics of pub/sub about a printer. */
export const topics = {
  /** `News` as JSON text, for browser sockets of any node. */
  news: (printerId: PrinterId) => `printer:${printerId}`,
  /** Passthru items of the agent for the owner's browsers, as JSON text `{"passthru": …}`. */
  passthru: (printerId: PrinterId) => `printer:${printerId}:passthru`,
  /** Where a large answer of the agent is fetched by who waits for it: a stream. */
  answer: (printerId: PrinterId, id: string) => `printer:${printerId}:answer:${id}`,
  /** Envelopes for the holder of this epoch's lease: a stale holder does not even hear them. */
  agent: (printerId: PrinterId, epoch: number) => `agent:${printerId}:${epoch}`,
  /** Where viewers' video is taken to the line of this epoch: streams. */
  video: (printerId: PrinterId, epoch: number) => `agent:${printerId}:${epoch}:video`,
  /** Streams of what is carried to the printer's page, for the holder of this epoch's lease. */
  tunnel: (printerId: PrinterId, epoch: number) => `agent:${printerId}:${epoch}:tunnel`,
  /** `{"close": why}` for every node that has a socket of this printer. */
  agentControl: (printerId: PrinterId) => `agent:${printerId}:control`,
  /** Answered by nodes that have a browser showing this printer. */
  viewers: (printerId: PrinterId) => `printer:${printerId}:viewers`,
} as const
