/** How soon a request has its turn: documents and calls first, files of many megabytes last. */
export type TunnelClass = 'document' | 'asset' | 'bulk'

/** How a file that is kept can come packed. */
export type Packing = 'br' | 'gzip'

/** A request for the printer's own page, on its way to the agent (docs/wire/agents.md 4.3). */
export interface TunnelRequest {
  /** As HTTP has it; in any case. */
  readonly method: string
  /** With its query; begins with one slash. */
  readonly path: string
  /** Those that the printer's page is to see, one value each. */
  readonly headers: Readonly<Record<string, string>>
  /** Read only once the request has its turn; with it, `length`. */
  readonly body?: AsyncIterable<Uint8Array>
  /** Of the body, in bytes. */
  readonly length?: number
  /** Aborted when the browser goes. */
  readonly signal: AbortSignal
  readonly class: TunnelClass
  /** What the browser can unpack, best first: files that are kept come so. Nothing of it is asked of the agent. */
  readonly packings?: readonly Packing[]
  /** The browser unpacks what agents pack (zlib's, which HTTP calls `deflate`), and nobody on the way looks into it: it may come so. */
  readonly takesDeflate?: boolean
}

/** What the printer's page answered. */
export interface TunnelAnswer {
  readonly status: number
  /** Names in lower case; none that speaks of the connection, of the length, of an encoding or sets a cookie. */
  readonly headers: Readonly<Record<string, string>>
  /** `Set-Cookie` lines as the printer's page gave them. */
  readonly cookies: readonly string[]
  /** As it comes, and no faster than it is read; throws `TunnelFailed` when it breaks off. Leaving it ends the transfer. */
  readonly body: AsyncIterable<Uint8Array>
  /** Of the body, in bytes, where it is known before. */
  readonly length?: number
  /** How the body is packed, where it is. */
  readonly packing?: Packing | 'deflate'
}

/**
 * Why a request was not answered, or its answer broke off. `offline`: no agent is there; `old`: it is too old for tunnels;
 * `timeout`: it has not answered in time; `agent`: it could not reach the printer's page, or made no sense; `busy`: too much waits
 * already; `tooLarge`, `lengthRequired`: the body that was to be sent; `lost`: the agent went, or something between us.
 */
export type TunnelTrouble =
  | 'offline'
  | 'old'
  | 'timeout'
  | 'agent'
  | 'busy'
  | 'tooLarge'
  | 'lengthRequired'
  | 'lost'

export class TunnelFailed extends Error {
  override readonly name = 'TunnelFailed'
  readonly why: TunnelTrouble
  constructor(why: TunnelTrouble, options?: ErrorOptions) {
    super(`the tunnel failed: ${why}`, options)
    this.why = why
  }
}

/** Why a signal was aborted, as an error. */
export const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new TunnelFailed('lost')

/** Hears of bytes that came from the agent, as they were sent: compressed, with their envelope. */
export type Counted = (bytes: number) => void

/** What a browser wants of a websocket of the printer's page. */
export interface TunnelSocketOptions {
  /** With its query; its last part is `websocket`, as with Moonraker and SockJS. */
  readonly path: string
  /** A frame of the printer's page. */
  readonly hear: (data: string | Buffer) => void
  /** It is over, and says with which code the browser's is to be closed; called once, unless `close` was. */
  readonly end: (code: number, reason: string) => void
  readonly counted: Counted
  /** Aborted when the browser goes before it is open. */
  readonly signal?: AbortSignal
}

export interface TunnelSocket {
  /** A frame of the browser; agents know text only. */
  send(text: string): void
  /** Bytes that were sent and have not left yet. */
  readonly bufferedAmount: number
  close(): void
}

/** Closing codes for browsers: OctoPrint's page comes back after those above 3000, and not after 1000. */
export const TUNNEL_CLOSE = { lost: 3000, closed: 3001, slow: 3002 } as const
