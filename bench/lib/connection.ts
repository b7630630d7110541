/** HTTP/1.1 with as little of a client as can be: prepared bytes out, status and length in. */
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

const HEAD_END = Buffer.from('\r\n\r\n')

/** A connection that is kept alive; one request at a time. */
export class Connection {
  readonly #socket: Socket
  #chunks: Buffer[] = []
  #size = 0
  /** Bytes of the whole answer, once its head has been read. */
  #wanted = Number.POSITIVE_INFINITY
  #isChunked = false
  #status = 0
  #resolve: ((status: number) => void) | null = null
  #reject: ((error: Error) => void) | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => this.#reject?.(error))
    socket.on('close', () => this.#reject?.(new Error('the connection was closed')))
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new Connection(socket)
  }

  /** Sends whole requests as they are; returns the status. */
  async send(...parts: readonly Uint8Array[]): Promise<number> {
    return await new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#socket.cork()
      for (const part of parts) this.#socket.write(part)
      this.#socket.uncork()
    })
  }

  close(): void {
    this.#reject = null
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#wanted === Number.POSITIVE_INFINITY) this.#readHead()
    const isWhole = this.#isChunked
      ? chunk.subarray(-5).toString('latin1') === '0\r\n\r\n'
      : this.#size >= this.#wanted
    if (!isWhole) return
    this.#chunks = []
    this.#size = 0
    this.#wanted = Number.POSITIVE_INFINITY
    this.#isChunked = false
    this.#resolve?.(this.#status)
  }

  #readHead(): void {
    const bytes = Buffer.concat(this.#chunks)
    const end = bytes.indexOf(HEAD_END)
    if (end < 0) return
    const head = bytes.toString('latin1', 0, end)
    this.#status = Number(head.slice(9, 12))
    this.#isChunked = /^transfer-encoding: chunked/im.test(head)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    this.#wanted = this.#isChunked ? 0 : end + HEAD_END.length + length
  }
}
