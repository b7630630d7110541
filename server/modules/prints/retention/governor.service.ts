import { statfs } from 'node:fs/promises'
import type { Ctx } from '../../../ctx.ts'
import { storageFreed } from '../../../engines/metrics/index.ts'
import type { PrintId } from '../../../lib/id.ts'
import { excess } from './governor.rules.ts'
import * as queries from './retention.queries.ts'
import { archive, dropFrames } from './retention.service.ts'

const DAY_MS = 86_400_000
/** No film of the last week goes: its owner may not have seen it yet. */
const YOUNGEST_FILM_MS = 7 * DAY_MS
const BATCH = 20

/** Free bytes on the disk that stored files are on; null where they are on none of ours. */
export type FreeBytes = () => Promise<number | null>

async function freeBytes({ config }: Ctx): Promise<number | null> {
  if (config.S3_URL !== undefined) return null
  const { bavail, bsize } = await statfs(config.dataFolder)
  return bavail * bsize
}

/** What went, in the order in which it goes. */
const KINDS = [
  {
    name: 'frames',
    find: queries.findOldestFramed,
    limit: ({ config }: Ctx) => config.STORAGE_PICTURES_GB,
    youngest: (now: number) => new Date(now),
    async remove(ctx: Ctx, print: queries.Heavy) {
      await dropFrames(ctx, print)
      await queries.noteFramesGone(ctx.db, print.id, new Date(ctx.clock.now()))
    },
  },
  {
    name: 'films',
    find: queries.findOldestFilmed,
    limit: ({ config }: Ctx) => config.STORAGE_FILMS_GB,
    youngest: (now: number) => new Date(now - YOUNGEST_FILM_MS),
    remove: (ctx: Ctx, print: queries.Heavy) => archive(ctx, print, new Date(ctx.clock.now())),
  },
] as const
type Kind = (typeof KINDS)[number]

/**
 * Keeps stored files within what they may take: a kind that is above its limit, and every kind in turn while the disk is nearly full, loses its
 * oldest. First go the pictures of prints that have ended (their films stay), then films that nobody keeps; never anything of a print that runs, or
 * whose film is being made, and never G-code (docs/rules/prints.md 7).
 */
export async function governStorage(
  ctx: Ctx,
  signal: AbortSignal,
  free: FreeBytes = () => freeBytes(ctx),
): Promise<void> {
  const freed = { frames: 0, films: 0, bytes: 0 }
  for (const kind of KINDS) await govern(ctx, { kind, free, signal, freed })
  const left = await free()
  const isScarce = left !== null && left < ctx.config.STORAGE_KEEP_FREE_MB * 1024 ** 2
  if (freed.bytes === 0 && !isScarce) return
  ctx.log.warn({ ...freed, isScarce }, 'stored files made room')
  ctx.events.emit('storage.freed', { at: ctx.clock.now(), ...freed, isScarce })
}

interface Governing {
  readonly kind: Kind
  readonly free: FreeBytes
  readonly signal: AbortSignal
  readonly freed: { frames: number; films: number; bytes: number }
}

async function govern(ctx: Ctx, { kind, free, signal, freed }: Governing): Promise<void> {
  const limitBytes = kind.limit(ctx) * 1024 ** 3
  const keepBytes = ctx.config.STORAGE_KEEP_FREE_MB * 1024 ** 2
  const tried: PrintId[] = []
  for (let used = await queries.weigh(ctx.db); !signal.aborted; used = await queries.weigh(ctx.db)) {
    let wanted = excess({ usedBytes: used[kind.name], limitBytes, freeBytes: await free(), keepBytes })
    if (wanted <= 0) return
    const prints = await kind.find(ctx.db, kind.youngest(ctx.clock.now()), tried, BATCH)
    if (prints.length === 0) return
    for (const print of prints) {
      if (wanted <= 0 || signal.aborted) break
      tried.push(print.id)
      await kind.remove(ctx, print)
      wanted -= print.bytes
      freed[kind.name] += 1
      freed.bytes += print.bytes
      storageFreed.inc({ kind: kind.name }, print.bytes)
    }
  }
}
