import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import { type Container, CONTAINERS } from '../../../engines/files/port.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { findCount, saveCount } from './system.queries.ts'

/** Kinds that are told apart, whatever folders somebody makes. */
const MOST_KINDS = 60
/** So many files are asked for their size at once. */
const AT_ONCE = 16

const count = z.object({
  countedAt: z.number(),
  kinds: z.array(z.object({ kind: z.string(), files: z.int(), bytes: z.number() })),
})
export type DiskCount = z.output<typeof count>

/** Counts all stored files; hours, where there are millions in a bucket. */
export const COUNT_DISK: JobKind<object> = {
  name: 'disk-count',
  schema: z.object({}),
  retries: 1,
  concurrency: 1,
  timeoutMs: 6 * 3_600_000,
}

/** What the last count came to; null: there was none. */
export async function lastCount(ctx: Ctx): Promise<DiskCount | null> {
  const read = count.safeParse(await findCount(ctx.db))
  return read.success ? read.data : null
}

/** Counts stored files and their bytes, by container and first folder. */
export async function countDisk(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const kinds = new Map<string, { files: number; bytes: number }>()
  const add = (kind: string, bytes: number) => {
    const key = kinds.has(kind) || kinds.size < MOST_KINDS ? kind : 'other'
    const before = kinds.get(key) ?? { files: 0, bytes: 0 }
    kinds.set(key, { files: before.files + 1, bytes: before.bytes + bytes })
  }
  for (const container of CONTAINERS) {
    let some: string[] = []
    const look = async () => {
      const found = await Promise.all(some.map((path) => ctx.files.stat({ container, path })))
      found.forEach((stat, at) => stat && add(kindOf(container, some[at] ?? ''), stat.numBytes))
      some = []
    }
    for await (const path of ctx.files.list(container, '')) {
      signal.throwIfAborted()
      if (some.push(path) >= AT_ONCE) await look()
    }
    await look()
  }
  const counted = [...kinds]
    .map(([kind, sum]) => ({ kind, ...sum }))
    .toSorted((a, b) => b.bytes - a.bytes || a.kind.localeCompare(b.kind))
  await saveCount(ctx.db, JSON.stringify({ countedAt: ctx.clock.now(), kinds: counted } satisfies DiskCount))
}

/** `tsd-pics/raw`; a file that lies in no folder is of its container. */
function kindOf(container: Container, path: string): string {
  const [folder, inside] = path.split('/', 2)
  return inside === undefined ? container : `${container}/${folder ?? ''}`
}
