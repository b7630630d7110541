import { createHash } from 'node:crypto'

const WORDS = 8
const NEWLINE = 0x0a

/** A digest of rows in PostgreSQL's COPY text, whatever their order: two tables have the same only if they hold the same rows. */
export class RowDigest {
  readonly #sum = new Uint32Array(WORDS)
  #rest: Buffer = Buffer.alloc(0)

  /** Takes the next bytes; a row may begin in one chunk and end in another. */
  add(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    // A newline in a value is written as two characters: each of these ends a row.
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
      this.#row(bytes.subarray(0, end))
      bytes = bytes.subarray(end + 1)
    }
    this.#rest = Buffer.from(bytes)
  }

  /** The digest of all that was taken. */
  end(): string {
    if (this.#rest.length > 0) this.#row(this.#rest)
    this.#rest = Buffer.alloc(0)
    return Buffer.from(this.#sum.buffer).toString('hex')
  }

  #row(row: Buffer): void {
    const hash = createHash('sha256').update(row).digest()
    for (let word = 0; word < WORDS; word++)
      this.#sum[word] = ((this.#sum[word] ?? 0) + hash.readUInt32LE(word * 4)) >>> 0
  }
}
