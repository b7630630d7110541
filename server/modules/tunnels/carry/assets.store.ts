import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'

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

type Assets = LRUCache<string, Asset>

/**
 * Files of printers' pages on this node's disk: what was asked for last stays, up to `maxBytes`. Each printer has its own list, by path, so that none can
 * answer for another; equal bytes lie there once, by the hash that we compute. What was there before a start is gone.
 */
export class AssetStore {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #byPrinter = new LRUCache<number, Assets>({ max: 10_000, dispose: (assets) => assets.clear() })
  /** How many entries name the file of a hash, and how large it is. */
  readonly #files = new Map<string, { uses: number; readonly size: number }>()
  #bytes = 0
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

  find(printerId: number, path: string): Asset | undefined {
    return this.#byPrinter.get(printerId)?.get(path)
  }

  /** The printer's page has said that it is the same. */
  confirm(printerId: number, path: string, seenAt: number): void {
    const assets = this.#byPrinter.get(printerId)
    const asset = assets?.get(path)
    if (asset !== undefined) this.#set(printerId, path, { ...asset, seenAt })
  }

  forget(printerId: number): void {
    this.#byPrinter.delete(printerId)
  }

  /** Its bytes; null when they have gone. */
  async read({ hash }: Asset): Promise<Buffer | null> {
    return await readFile(this.#pathOf(hash)).catch(() => null)
  }

  /** Passes `body` on and keeps what passes, if all of it does and it is not too large. A disk that fails costs no answer. */
  async *keep(
    printerId: number,
    path: string,
    asset: Pick<Asset, 'headers' | 'seenAt'>,
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
      await file.close()
      file = null
      const name = hash.digest('hex')
      await rename(place, this.#pathOf(name))
      this.#set(printerId, path, { ...asset, hash: name, size })
    } finally {
      await giveUp()
    }
  }

  #set(printerId: number, path: string, asset: Asset): void {
    const assets = this.#byPrinter.get(printerId) ?? this.#listFor(printerId)
    // Counted before an older entry of the same file lets it go.
    const file = this.#files.get(asset.hash)
    if (file) file.uses++
    else {
      this.#files.set(asset.hash, { uses: 1, size: asset.size })
      this.#bytes += asset.size
    }
    assets.set(path, asset)
    while (this.#bytes > this.#maxBytes && this.#byPrinter.size > 1) this.#byPrinter.pop()
    if (this.#bytes > this.#maxBytes) this.#byPrinter.clear()
  }

  #listFor(printerId: number): Assets {
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
  }

  #pathOf(hash: string): string {
    return join(this.#folder, hash)
  }
}
