import type { Ctx } from '../../../ctx.ts'
import { type Container, CONTAINERS, type MediaRef } from '../../../engines/files/port.ts'
import { missingFiles, strayFiles } from '../../../engines/metrics/index.ts'
import {
  CLAIMS,
  highestKey,
  MADE_AGAIN,
  type Named,
  namedBetween,
  OTHERS,
  pathsNamed,
} from './claims.queries.ts'

const DAY_MS = 86_400_000
/** A file is stored before the row that names it; and who has put an old backup back may still put back the right one. */
const GRACE_MS = 2 * DAY_MS
const BATCH = 2_000
/** Numbers of rows looked at in one query. */
const WINDOW = 100
const AT_ONCE = 16
/**
 * Of more than so many things, and more than a tenth of all, there is no row: this is no litter, but the wrong database. Nothing is removed. A print is
 * one thing, however many pictures it has.
 */
const MANY = 100
const SHARE = 0.1
/** What one night removes of a container. */
const MOST = 100_000
const SHOWN = 20

/**
 * Removes stored files that no row names and that are older than two days, and counts rows whose file is gone
 * (docs/rules/prints.md 6). What it could not look at in its time, the newest first, it looks at another night.
 */
export async function sweepStored(ctx: Ctx, signal: AbortSignal): Promise<void> {
  for (const container of CONTAINERS) await removeStrays(ctx, container, signal)
  const missing = await countMissingFiles(ctx, signal)
  if (!signal.aborted) missingFiles.set(missing)
}

/** What it takes to look for files: also of a database, and of files, that are not the server's. */
export interface Looking {
  readonly db: Ctx['db']
  readonly files: Pick<Ctx['files'], 'stat'>
  readonly log: Pick<Ctx['log'], 'error'>
}

/** How many files rows name that are not there. */
export async function countMissingFiles(ctx: Looking, signal: AbortSignal): Promise<number> {
  let missing = 0
  for (const { named } of CLAIMS)
    for (const column of named) if (!column.isComputed) missing += await countMissing(ctx, column, signal)
  return missing
}

async function removeStrays(ctx: Ctx, container: Container, signal: AbortSignal): Promise<void> {
  const found = await findStrays(ctx, container, signal)
  if (signal.aborted) return
  const { strays, all } = found
  const shown = { container, all, strays: strays.length, some: strays.slice(0, SHOWN) }
  const things = new Things(container)
  for (const path of strays) things.add(path)
  if (things.size > MANY && things.size > found.things * SHARE)
    return ctx.log.error(
      shown,
      'too many stored files without a row: none removed. Is this the right database?',
    )
  for (const path of strays) {
    if (signal.aborted) return
    await ctx.files.remove({ container, path })
    strayFiles.inc({ container })
  }
  if (strays.length > 0) ctx.log.warn(shown, 'stored files without a row were removed')
}

async function findStrays(ctx: Ctx, container: Container, signal: AbortSignal) {
  const strays: string[] = []
  const things = new Things(container)
  let all = 0
  let batch: string[] = []
  const look = async () => {
    for (const path of await unnamed(ctx, container, batch))
      if (strays.length < MOST && (await isOld(ctx, { container, path }))) strays.push(path)
    batch = []
  }
  for await (const path of ctx.files.list(container, '')) {
    if (signal.aborted) break
    all += 1
    things.add(path)
    batch.push(path)
    if (batch.length === BATCH) await look()
  }
  await look()
  return { strays, all, things: things.size }
}

/**
 * How many things files are parts of: a print, a printer or a layer; of what is an account's each file is a thing of its own, which is counted and
 * not remembered, as a store may have millions.
 */
class Things {
  readonly #patterns: readonly RegExp[]
  readonly #shared = new Set<string>()
  #alone = 0
  constructor(container: Container) {
    this.#patterns = CLAIMS.flatMap((claim) => (claim.container === container ? [claim.pattern] : []))
  }
  get size() {
    return this.#shared.size + this.#alone
  }
  /** Each path once. */
  add(path: string): void {
    for (const pattern of this.#patterns) {
      const found = pattern.exec(path)
      if (found === null || found.groups?.['user'] !== undefined) continue
      this.#shared.add(found[0])
      return
    }
    this.#alone += 1
  }
}

/** Those of these paths that no row names; what nobody claims is nobody's. */
async function unnamed(ctx: Ctx, container: Container, paths: readonly string[]): Promise<string[]> {
  const named = new Set<string>()
  for (const claim of CLAIMS)
    if (claim.container === container)
      for (const path of await pathsNamed(ctx.db, claim, paths)) named.add(path)
  return paths.filter((path) => !named.has(path) && !OTHERS.test(path))
}

async function isOld(ctx: Ctx, ref: MediaRef): Promise<boolean> {
  const keptMs = MADE_AGAIN.test(ref.path) ? ctx.config.FRAME_RETENTION_DAYS * DAY_MS : GRACE_MS
  const found = await ctx.files.stat(ref)
  return found !== null && ctx.clock.now() - found.modifiedAt.getTime() > keptMs
}

/** How many files of a column are gone, though rows name them before and after we looked. */
async function countMissing(ctx: Looking, named: Named, signal: AbortSignal): Promise<number> {
  const gone: string[] = []
  for (let to = await highestKey(ctx.db, named); to > 0 && !signal.aborted; to -= WINDOW) {
    const refs = await namedBetween(ctx.db, named, to - WINDOW, to)
    const absent = await absentOf(ctx, refs)
    if (absent.length === 0) continue
    const still = new Set((await namedBetween(ctx.db, named, to - WINDOW, to)).map(({ path }) => path))
    gone.push(...absent.filter((path) => still.has(path)))
  }
  const { from, column } = named
  if (gone.length > 0)
    ctx.log.error({ from, column, count: gone.length, some: gone.slice(0, SHOWN) }, 'stored files are gone')
  return gone.length
}

async function absentOf(ctx: Looking, refs: readonly MediaRef[]): Promise<string[]> {
  const absent: string[] = []
  for (let at = 0; at < refs.length; at += AT_ONCE) {
    const some = refs.slice(at, at + AT_ONCE)
    const stats = await Promise.all(some.map((ref) => ctx.files.stat(ref)))
    absent.push(...some.filter((_, n) => stats[n] === null).map(({ path }) => path))
  }
  return absent
}
