import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { PrinterId } from '../../../lib/id.ts'
import type { Packing } from '../wire/port.ts'

/** A file of a printer's page as it was answered last. */
export interface Asset {
  /** SHA-256 of its bytes, as we computed it. */
  readonly hash: string
  readonly size: number
  readonly headers: Readonly<Record<string, string>>
  /** When the printer's page last said that this is it, on the monotonic clock. */
  readonly seenAt: number
}

const MB = 1_048_576
/** Of one printer: no page takes all the room. */
const OF_ONE = { maxSize: 32 * MB, max: 500 }
const LARGEST = 8 * MB

/** Files that wait to be packed, one after the other; what comes beyond is asked for again. */
const MOST_TO_PACK = 200
/** What is hardly smaller stays as it is. */
const WORTH = 0.9

type Assets = LRUCache<string, Asset>

interface Stored {
  /** Entries that name it. */
  uses: number
  readonly size: number
  /** How large it is, packed; null: not worth it. */
  readonly packed: Map<Packing, number | null>
}

const brotliAll = promisify(brotliCompress)
const gzipAll = promisify(gzip)
const PACK: Readonly<Record<Packing, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotliAll(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => gzipAll(bytes, { level: 9 }),
}

/**
 * Files of printers' pages on this node's disk: what was asked for last stays, up to `maxBytes`. Each printer has its own list, by path, so that none can
 * answer for another; equal bytes lie there once, by the hash that we compute, and once more for each way in which they were packed. What was
 * there before a start is gone.
 */
export class AssetStore {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #byPrinter = new LRUCache<number, Assets>({ max: 10_000, dispose: (assets) => assets.clear() })
  /** By hash. */
  readonly #files = new Map<string, Stored>()
  #bytes = 0
  #packing: Promise<unknown> = Promise.resolve()
  readonly #toPack = new Set<string>()
  readonly #ready: Promise<unknown>

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#ready = rm(folder, { recursive: true, force: true })
      .then(() => mkdir(folder, { recursive: true, mode: 0o700 }))
      .catch(() => undefined)
  }

  /** Bytes on the disk. */
  get bytes(): number {
    return this.#bytes
  }

  find(printerId: PrinterId, path: string): Asset | undefined {
    return this.#byPrinter.get(printerId)?.get(path)
  }

  /** The printer's page has said that it is the same. */
  confirm(printerId: PrinterId, path: string, seenAt: number): void {
    const assets = this.#byPrinter.get(printerId)
    const asset = assets?.get(path)
    if (asset !== undefined) this.#set(printerId, path, { ...asset, seenAt })
  }

  forget(printerId: PrinterId): void {
    this.#byPrinter.delete(printerId)
  }

  /** Its bytes; null when they have gone. */
  async read({ hash }: Asset): Promise<Buffer | null> {
    return await readFile(this.#pathOf(hash)).catch(() => null)
  }

  /** Its bytes packed; null where that is not worth it, and as long as nobody has: then it is begun, for who comes next. */
  async packed({ hash }: Asset, packing: Packing): Promise<Buffer | null> {
    const size = this.#files.get(hash)?.packed.get(packing)
    if (size === undefined) this.#pack(hash, packing)
    return size ? await readFile(this.#pathOf(hash, packing)).catch(() => null) : null
  }

  #pack(hash: string, packing: Packing): void {
    const name = `${hash}.${packing}`
    if (this.#toPack.has(name) || this.#toPack.size >= MOST_TO_PACK) return
    this.#toPack.add(name)
    this.#packing = this.#packing
      .then(() => this.#packNow(hash, packing))
      .catch(() => undefined)
      .finally(() => this.#toPack.delete(name))
  }

  async #packNow(hash: string, packing: Packing): Promise<void> {
    const file = this.#files.get(hash)
    const bytes = file && (await readFile(this.#pathOf(hash)))
    if (bytes === undefined) return
    const packed = await PACK[packing](bytes)
    if (packed.length > bytes.length * WORTH) return void file?.packed.set(packing, null)
    const place = join(this.#folder, randomUUID())
    await writeFile(place, packed, { mode: 0o600 })
    await rename(place, this.#pathOf(hash, packing))
    // All that named it may have gone meanwhile.
    if (this.#files.get(hash) !== file) return await unlink(this.#pathOf(hash, packing))
    file?.packed.set(packing, packed.length)
    this.#bytes += packed.length
    this.#makeRoom()
  }

  /**
   * Passes `body` on and keeps what passes, if all of it does and it is not too large; then it is packed for who comes next. A disk that
   * fails costs no answer.
   */
  async *keep(
    printerId: PrinterId,
    path: string,
    { packing, ...asset }: Pick<Asset, 'headers' | 'seenAt'> & { readonly packing: Packing | null },
    body: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    await this.#ready
    const place = join(this.#folder, randomUUID())
    let file = await open(place, 'wx', 0o600).catch(() => null)
    const hash = createHash('sha256')
    let size = 0
    const giveUp = async () => {
      const given = file
      file = null
      await given?.close().catch(() => undefined)
      if (given) await unlink(place).catch(() => undefined)
    }
    try {
      for await (const part of body) {
        size += part.length
        hash.update(part)
        if (size > LARGEST) await giveUp()
        else await file?.appendFile(part).catch(giveUp)
        yield part
      }
      if (file === null) return
      const name = hash.digest('hex')
      const isThere = await file
        .close()
        .then(() => rename(place, this.#pathOf(name)))
        .then(
          () => true,
          () => false,
        )
      if (!isThere) return
      file = null
      this.#set(printerId, path, { ...asset, hash: name, size })
      if (packing !== null) this.#pack(name, packing)
    } finally {
      await giveUp()
    }
  }

  #set(printerId: PrinterId, path: string, asset: Asset): void {
    const assets = this.#byPrinter.get(printerId) ?? this.#listFor(printerId)
    // Counted before an older entry of the same file lets it go.
    const file = this.#files.get(asset.hash)
    if (file) file.uses++
    else {
      this.#files.set(asset.hash, { uses: 1, size: asset.size, packed: new Map() })
      this.#bytes += asset.size
    }
    assets.set(path, asset)
    this.#makeRoom()
  }

  #makeRoom(): void {
    while (this.#bytes > this.#maxBytes && this.#byPrinter.size > 1) this.#byPrinter.pop()
    if (this.#bytes > this.#maxBytes) this.#byPrinter.clear()
  }

  #listFor(printerId: PrinterId): Assets {
    const assets: Assets = new LRUCache({
      ...OF_ONE,
      sizeCalculation: ({ size }) => Math.max(1, size),
      dispose: ({ hash }) => this.#release(hash),
    })
    this.#byPrinter.set(printerId, assets)
    return assets
  }

  #release(hash: string): void {
    const file = this.#files.get(hash)
    if (file === undefined || --file.uses > 0) return
    this.#files.delete(hash)
    this.#bytes -= file.size
    void unlink(this.#pathOf(hash)).catch(() => undefined)
    for (const [packing, size] of file.packed) {
      if (size === null) continue
      this.#bytes -= size
      void unlink(this.#pathOf(hash, packing)).catch(() => undefined)
    }
  }

  #pathOf(hash: string, packing?: Packing): string {
    return join(this.#folder, packing === undefined ? hash : `${hash}.${packing}`)
  }
}
