/** The agent's own websocket to a real Janus beside it: one for all viewers, as the real agents have it (docs/wire/agents.md 4.4). */
import { WebSocket } from 'ws'
import type { Json } from './types.ts'

const RETRY_MS = 500

/** Passes words on both ways until the signal; what is said while Janus is away is lost. */
export class JanusBridge {
  readonly #address: string
  readonly #post: (message: Json) => void
  readonly #signal: AbortSignal
  #ws: WebSocket | null = null

  constructor(address: string, post: (message: Json) => void, signal: AbortSignal) {
    this.#address = address
    this.#post = post
    this.#signal = signal
    signal.addEventListener('abort', () => this.#ws?.close(), { once: true })
    this.#connect()
  }

  /** Writes a word of the server's to Janus as it came. */
  say(text: string): void {
    if (this.#ws?.readyState === WebSocket.OPEN) this.#ws.send(text)
  }

  #connect(): void {
    if (this.#signal.aborted) return
    const ws = new WebSocket(this.#address, 'janus-protocol', { perMessageDeflate: false })
    this.#ws = ws
    ws.on('message', (data: Buffer) => this.#post({ janus: data.toString() }))
    ws.on('error', () => undefined)
    ws.on('close', () => setTimeout(() => this.#connect(), RETRY_MS).unref())
  }
}
