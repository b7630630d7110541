/**
 * Names of what lives in `live` about a printer, in one place: the agents module writes, printers and detection
 * read. Lifetimes in milliseconds (api-contract 2.4 with the fixes of issue 3, part 3).
 */
export const keys = {
  /** Last status as JSON text. Absent: offline. */
  status: (printerId: number) => `printer:${printerId}:status`,
  /** `AgentRecord` as JSON text. Absent: offline. */
  agent: (printerId: number) => `printer:${printerId}:agent`,
  /** `PictureRecord` as JSON text. Absent: no picture. */
  picture: (printerId: number) => `printer:${printerId}:pic`,
  /** Number of browser sockets that show this printer, counted per node: `printer:{id}:viewers:{node}`. */
  viewers: (printerId: number) => `printer:${printerId}:viewers:`,
} as const

/** Topics of pub/sub about a printer. */
export const topics = {
  /** `PrinterNews` as JSON text, for browser sockets of any node. */
  news: (printerId: number) => `printer:${printerId}`,
  /** Passthru items of the agent for the owner's browsers, as JSON text `{"passthru": …}`. */
  passthru: (printerId: number) => `printer:${printerId}:passthru`,
  /** Requests to the node that owns the agent's socket. */
  agent: (printerId: number) => `agent:${printerId}`,
} as const

export const STATUS_TTL_MS = 150_000
export const PICTURE_TTL_MS = 30 * 60_000

/** How the agent stands, as the owning node last saw it. */
export interface AgentRecord {
  readonly state: 'connected' | 'waiting' | 'not_responding'
  /** Milliseconds since 1970; refreshed coarsely (every 10 s at most). */
  readonly seenAt: number
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
