import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { DataStore, Upload } from '@tus/server'
import type { Container, Files, MediaRef } from '../engines/files/port.ts'
import { notFound } from './errors.ts'

/** What a process that is killed loses of an upload, at most. */
const PIECE_BYTES = 16 * 1_048_576
/** Of an upload: how large it will be, and what its sender says of it. */
const FACTS = 'upload.json'

/** Where the uploads of one sender lie while they are not finished. */
export interface Folder {
  readonly container: Container
  readonly path: string
}

/** The room that uploads have, by their ids: one without is nobody's any more. */
export interface Rooms {
  has(id: string): Promise<boolean>
  /** So much has come, and more may. */
  keep(id: string, comeBytes: number): Promise<boolean>
  release(id: string): Promise<void>
}

/**
 * The store of unfinished uploads, over `files`: a folder for each, in it a file for each piece that came, named by
 * where it begins. What has come is what lies there, on every node and after every end; a sender who goes in the middle
 * of a piece leaves a shorter one.
 */
export class Pieces extends DataStore {
  override readonly extensions = ['creation', 'creation-with-upload', 'termination']
  readonly #files: Files
  readonly #folder: Folder
  readonly #rooms: Rooms

  constructor(files: Files, folder: Folder, rooms: Rooms) {
    super()
    this.#files = files
    this.#folder = folder
    this.#rooms = rooms
  }

  #at(id: string, name: string): MediaRef {
    return { container: this.#folder.container, path: `${this.#folder.path}/${id}/${name}` }
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size, metadata } = upload
    await this.#files.put(this.#at(id, FACTS), Buffer.from(JSON.stringify({ id, size, metadata })))
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const facts = await this.#files.get(this.#at(id, FACTS))
    if (facts === null || !(await this.#rooms.has(id))) throw notFound()
    const pieces = await this.#chain(id)
    const offset = pieces.reduce((sum, { numBytes }) => sum + numBytes, 0)
    return new Upload({ ...(await readFacts(facts)), offset })
  }

  /** Stores what comes, piece by piece; of one that breaks off, what has come. Raises 404 when it has lapsed meanwhile. */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const source = new Source(content)
    let at = offset
    while (await source.hasMore()) {
      const name = `${String(at).padStart(15, '0')}-${randomBytes(6).toString('hex')}`
      at += await this.#files.put(this.#at(id, name), Readable.from(source.take(PIECE_BYTES)))
      if (!(await this.#rooms.keep(id, at))) throw notFound()
    }
    if (source.failure !== null) throw source.failure
    return at
  }

  /** Raises 404 where there is none. */
  override async remove(id: string): Promise<void> {
    if ((await this.#files.stat(this.#at(id, FACTS))) === null) throw notFound()
    await this.#files.removeAll(this.#folder.container, `${this.#folder.path}/${id}`)
    await this.#rooms.release(id)
  }

  /** The whole content, one piece after the other. */
  async *content(id: string): AsyncIterable<Buffer> {
    for (const { ref } of await this.#chain(id)) {
      const piece = await this.#files.get(ref)
      if (piece === null) throw notFound()
      yield* piece as AsyncIterable<Buffer>
    }
  }

  /** The pieces that follow each other from the beginning; of several that begin at one place, the longest. */
  async #chain(id: string): Promise<{ ref: MediaRef; numBytes: number }[]> {
    const { container, path } = this.#folder
    const starts = new Map<number, { ref: MediaRef; numBytes: number }>()
    for await (const found of this.#files.list(container, `${path}/${id}`)) {
      const start = /\/(\d{15})-[0-9a-f]{12}$/.exec(found)?.[1]
      if (start === undefined) continue
      const ref = { container, path: found }
      const numBytes = (await this.#files.stat(ref))?.numBytes ?? 0
      const other = starts.get(Number(start))
      if (other === undefined || other.numBytes < numBytes) starts.set(Number(start), { ref, numBytes })
    }
    const chain = []
    for (let at = 0, next = starts.get(0); next && next.numBytes > 0; next = starts.get(at)) {
      chain.push(next)
      at += next.numBytes
    }
    return chain
  }
}

/** What we have written ourselves. */
const readFacts = async (facts: Readable) => (await json(facts)) as ConstructorParameters<typeof Upload>[0]

/** A stream of which pieces are taken, one after the other. One that breaks has come to its end, and says why. */
class Source {
  readonly #iterator: AsyncIterator<Buffer>
  #rest: Buffer | null = null
  failure: Error | null = null

  constructor(content: Readable) {
    this.#iterator = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  async hasMore(): Promise<boolean> {
    try {
      while (this.#rest === null || this.#rest.length === 0) {
        const { done, value } = await this.#iterator.next()
        if (done) return false
        this.#rest = value
      }
      return true
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error))
      return false
    }
  }

  async *take(numBytes: number): AsyncIterable<Buffer> {
    for (let left = numBytes; left > 0 && (await this.hasMore());) {
      const rest = this.#rest ?? Buffer.alloc(0)
      const taken = rest.subarray(0, left)
      this.#rest = rest.subarray(taken.length)
      left -= taken.length
      yield taken
    }
  }
}

/** Removes uploads that have no room any more, of all senders below `folder`. */
export async function removeStale(files: Files, folder: Folder, rooms: Rooms): Promise<void> {
  for await (const path of files.list(folder.container, folder.path)) {
    if (!path.endsWith(`/${FACTS}`)) continue
    const below = path.slice(0, -FACTS.length - 1)
    const id = below.slice(below.lastIndexOf('/') + 1)
    if (!(await rooms.has(id))) await files.removeAll(folder.container, below)
  }
}
