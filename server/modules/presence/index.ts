/**
 * Names of what lives in `live` about a printer, in one place: the agents module writes, printers and detection
 * read. Lifetimes in milliseconds (docs/wire/rest.md 5.2 with the fixes of docs/rules/prints.md 4).
 */
export const keys = {
  /** Last status as JSON text. Absent: offline. */
  status: (printerId: number) => `printer:${printerId}:status`,
  /** `AgentRecord` as JSON text. Absent: offline. */
  agent: (printerId: number) => `printer:${printerId}:agent`,
  /** There while the agent is heard: it ages in the store, so that no node's time of day decides who lives. */
  heard: (printerId: number) => `printer:${printerId}:heard`,
  /** `PictureRecord` as JSON text. Absent: no picture. */
  picture: (printerId: number) => `printer:${printerId}:pic`,
  /** Lease of the node whose socket speaks for the printer's agent. */
  socket: (printerId: number) => `agent:${printerId}:socket`,
  /** Set while a second agent with the same token is turned away (docs/wire/agents.md 8.2). */
  silenced: (printerId: number) => `agent:${printerId}:silenced`,
} as const

/** Topics of pub/sub about a printer. */
export const topics = {
  /** `PrinterNews` as JSON text, for browser sockets of any node. */
  news: (printerId: number) => `printer:${printerId}`,
  /** Passthru items of the agent for the owner's browsers, as JSON text `{"passthru": …}`. */
  passthru: (printerId: number) => `printer:${printerId}:passthru`,
  /** Envelopes for the holder of this epoch's lease: a stale holder does not even hear them. */
  agent: (printerId: number, epoch: number) => `agent:${printerId}:${epoch}`,
  /** `{"close": why}` for every node that has a socket of this printer. */
  agentControl: (printerId: number) => `agent:${printerId}:control`,
  /** Answered by nodes that have a browser showing this printer. */
  viewers: (printerId: number) => `printer:${printerId}:viewers`,
} as const

export const STATUS_TTL_MS = 150_000
/** A record that is not renewed this long means offline: its node is gone. */
export const AGENT_TTL_MS = 150_000
/** An agent that nobody has heard for so long does not respond. */
export const SILENT_AFTER_MS = 60_000
/** The record is refreshed at most so often. */
export const RECORD_EVERY_MS = 10_000
export const PICTURE_TTL_MS = 30 * 60_000

/** How the agent stands, as the owning node last saw it. */
export interface AgentRecord {
  readonly state: 'connected' | 'waiting' | 'not_responding'
  /** Milliseconds since 1970, for people to read; refreshed coarsely (every 10 s at most). */
  readonly seenAt: number
  /** When the status that stands in `live` came, in milliseconds since 1970, as coarsely; null: on an earlier socket. */
  readonly reportedAt: number | null
  /** Of the lease of the socket it was seen on. */
  readonly epoch: number
  /** The socket is open, yet no status has come for minutes: only a restart helps (docs/wire/agents.md 8.2 d). */
  readonly needsRestart: boolean
}

/** The printer's latest picture: where it is stored and when it came, in milliseconds since 1970. */
export interface PictureRecord {
  readonly raw: { readonly container: 'tsd-pics'; readonly path: string }
  readonly tagged: { readonly container: 'tsd-pics'; readonly path: string } | null
  readonly at: number
  /** When the detector last looked at a picture of this printer. */
  readonly checkedAt: number | null
  /** Why the picture could not be judged, or null (detection quality names). */
  readonly blind: string | null
}

/** What browser sockets hear. `status`: a newer status, nothing else changed. `live`: read the live keys again
 * (a picture came, the agent's state changed). `changed`: read the rows again. */
export type PrinterNews =
  | { readonly kind: 'status'; readonly status: Record<string, unknown> | null }
  | { readonly kind: 'live' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'gone' }
