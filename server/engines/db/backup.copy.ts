import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Client, Submittable } from 'pg'

const CHUNK_BYTES = 64 * 1024

/** What pg hands to a query of our own; its types leave COPY out. */
interface Wire {
  readonly stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

const rowsOf = (tag: string): number => Number(/^COPY (\d+)/.exec(tag)?.[1] ?? 0)

/** `COPY … TO STDOUT` as a stream that holds the server back while nobody reads. */
class CopyOut extends Readable {
  rows = 0
  readonly #text: string
  #wire: Wire | null = null
  #waiting: Buffer[] = []
  #size = 0

  constructor(text: string) {
    super({ highWaterMark: 4 * CHUNK_BYTES })
    this.#text = text
  }

  submit(wire: unknown): void {
    this.#wire = wire as Wire
    this.#wire.query(this.#text)
  }

  override _read(): void {
    this.#wire?.stream.resume()
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The parser reuses its memory, so what waits is a copy.
    this.#waiting.push(Buffer.from(chunk))
    this.#size += chunk.length
    if (this.#size >= CHUNK_BYTES && !this.#flush()) this.#wire?.stream.pause()
  }

  #flush(): boolean {
    const chunk = Buffer.concat(this.#waiting, this.#size)
    this.#waiting = []
    this.#size = 0
    return this.push(chunk)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text)
  }

  handleReadyForQuery(): void {
    if (this.#size > 0) this.#flush()
    this.push(null)
    // Whatever comes next on this connection is not ours to hold back.
    this.#wire?.stream.resume()
  }

  handleError(error: Error): void {
    this.#wire?.stream.resume()
    this.destroy(error)
  }
}

/** Starts `COPY … TO STDOUT`; read it to its end, then `rows` says how many there were. */
export function copyOut(client: Client, text: string): Readable & { readonly rows: number } {
  return client.query(new CopyOut(text) as CopyOut & Submittable)
}

/** `COPY … FROM STDIN`: settled by the server, fed by `copyIn`. */
class CopyIn {
  readonly started = Promise.withResolvers<Wire>()
  readonly done = Promise.withResolvers<number>()
  readonly #text: string
  #rows = 0

  constructor(text: string) {
    this.#text = text
    for (const { promise } of [this.started, this.done]) promise.catch(() => undefined)
  }

  submit(wire: unknown): void {
    ;(wire as Wire).query(this.#text)
  }

  handleCopyInResponse(wire: Wire): void {
    this.started.resolve(wire)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = rowsOf(text)
  }

  handleReadyForQuery(): void {
    this.done.resolve(this.#rows)
  }

  handleError(error: Error): void {
    this.started.reject(error)
    this.done.reject(error)
  }
}

/** Runs `COPY … FROM STDIN` with these chunks, no faster than the server takes them; returns the rows. */
export async function copyIn(client: Client, text: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  const copy = client.query(new CopyIn(text) as CopyIn & Submittable)
  const wire = await copy.started.promise
  try {
    for await (const chunk of chunks) {
      wire.sendCopyFromChunk(chunk)
      if (!wire.stream.writableNeedDrain) continue
      const given = new AbortController()
      await Promise.race([
        once(wire.stream, 'drain', { signal: given.signal }).catch(() => undefined),
        copy.done.promise,
      ]).finally(() => given.abort())
    }
    wire.endCopyFrom()
  } catch (error) {
    wire.sendCopyFail('the backup could not be read')
    await copy.done.promise.catch(() => undefined)
    throw error
  }
  return copy.done.promise
}
