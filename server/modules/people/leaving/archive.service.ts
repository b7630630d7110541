import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { addAbortSignal, Readable, Transform } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Ctx } from '../../../ctx.ts'
import { CONTAINERS, type MediaRef } from '../../../engines/files/port.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { tidyYoung } from '../../../lib/tidy.ts'
import { filesOf } from '../../core/stored/index.ts'
import { allTables, type Belongings, rowsOf } from './belongings.queries.ts'
import { schemaOf } from './schema.rules.ts'

/** Pictures and films are as small as they get. */
const PACKED = /\.(?:jpe?g|png|webp|mp4|zip|gz)$/i
/** After so much young memory is tidied. */
const TIDY_BYTES = 16 * 1_048_576
/** Archives are in none. */
const NOT_IN_IT = /^exports\//

interface Making {
  readonly userId: UserId
  readonly signal: AbortSignal
  /** How many files are in it. */
  readonly progress: (of: { done: number; total: number; missing: number }) => Promise<void>
}

/**
 * Writes an archive of all that is an account's to `to`, as it comes: rows as JSON with their schema, and every stored file that they
 * name. Nothing of it is held in memory but the names. Returns its size.
 */
export async function writeArchive(ctx: Ctx, to: MediaRef, making: Making): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-archive-'))
  const zip = new ZipFile()
  const bytes = zip.outputStream.pipe(tidying())
  // The store hears of it when it comes to read.
  bytes.on('error', () => undefined)
  const failed = new AbortController()
  const signal = AbortSignal.any([making.signal, failed.signal])
  const stored = ctx.files.put(to, bytes)
  try {
    await Promise.race([fill(ctx, { ...making, zip, folder, signal }), stored.then(() => undefined)])
    zip.end()
    return await stored
  } catch (error) {
    // Whoever stores it must not take a part for the whole, nor wait for the rest; what is read is closed.
    bytes.destroy(new Error('the archive broke off', { cause: error }))
    failed.abort()
    await stored.catch(() => undefined)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Hands on what comes; of what went by nothing stays in memory for long. */
function tidying(): Transform {
  let passed = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      passed += chunk.length
      if (passed >= TIDY_BYTES) {
        passed = 0
        tidyYoung()
      }
      done(null, chunk)
    },
  })
}

interface Filling extends Making {
  readonly zip: ZipFile
  readonly folder: string
}

async function fill(ctx: Ctx, { zip, folder, userId, signal, progress }: Filling): Promise<void> {
  const add = async (bytes: Readable, path: string) => {
    addAbortSignal(signal, bytes)
    zip.addReadStream(bytes, path, { compress: !PACKED.test(path) })
    await finished(bytes)
  }
  const tables = (await allTables(ctx.db)).filter(({ whose }) => whose !== null)
  zip.addBuffer(
    Buffer.from(
      `${text('leaving-server', 'readme').in('en')}\n\n${text('leaving-server', 'readme').in('zh')}\n`,
    ),
    'README.txt',
  )
  zip.addBuffer(Buffer.from(`${JSON.stringify(schemaOf(tables), null, 2)}\n`), 'rows/schema.json')
  await writeRows(ctx, { tables, folder, userId })
  for (const { table } of tables)
    await add(createReadStream(join(folder, `${table}.json`)), `rows/${table}.json`)
  const [list, total] = await listFiles(ctx, { folder, userId })
  const counts = { done: 0, total, missing: 0 }
  const missing: string[] = []
  for await (const ref of readList(list)) {
    signal.throwIfAborted()
    const bytes = await ctx.files.get(ref)
    if (bytes !== null) await add(bytes, `files/${ref.container}/${ref.path}`)
    else if (!ref.isComputed && missing.push(`${ref.container}/${ref.path}`)) counts.missing++
    counts.done++
    await progress(counts)
  }
  if (missing.length > 0) zip.addBuffer(Buffer.from(`${missing.join('\n')}\n`), 'files/missing.txt')
}

/** All rows as they stand in one moment, each table as a file of this folder. */
async function writeRows(
  ctx: Ctx,
  { tables, folder, userId }: { tables: readonly Belongings[]; folder: string; userId: UserId },
): Promise<void> {
  await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      for (const belongings of tables) {
        const lines = Readable.from(arrayOf(rowsOf(db, belongings, userId)), { objectMode: false })
        await pipeline(lines, createWriteStream(join(folder, `${belongings.table}.json`)))
      }
    })
}

async function* arrayOf(lines: AsyncIterable<string[]>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const some of lines) {
    yield before + some.join(',\n')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** The names of all files, each once, in a file of this folder: they may be very many. */
async function listFiles(
  ctx: Ctx,
  { folder, userId }: { folder: string; userId: UserId },
): Promise<readonly [path: string, total: number]> {
  const path = join(folder, 'files.txt')
  const seen = new Set<string>()
  async function* lines() {
    for await (const { container, path: at, isComputed } of filesOf(ctx.db, userId)) {
      const name = `${container} ${at}`
      if (NOT_IN_IT.test(at) || seen.has(name)) continue
      seen.add(name)
      yield `${isComputed ? 1 : 0} ${name}\n`
    }
  }
  await pipeline(Readable.from(lines(), { objectMode: false }), createWriteStream(path))
  return [path, seen.size]
}

async function* readList(path: string): AsyncGenerator<MediaRef & { isComputed: boolean }> {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [isComputed, named = '', ...rest] = line.split(' ')
    const container = CONTAINERS.find((one) => one === named)
    if (container !== undefined) yield { container, path: rest.join(' '), isComputed: isComputed === '1' }
  }
}
