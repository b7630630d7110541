import { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { findRecords } from './frames.queries.ts'
import { findScores } from './timelapse.queries.ts'

const PAGE = 500

const heat = z.object({ width: z.int(), height: z.int(), values: z.base64(), grid: z.base64().optional() })
const score = z.object({
  at: z.coerce.date(),
  frameId: z.number().nullable(),
  model: z.string().nullable(),
  /** Of the picture alone, unrounded. */
  score: z.number().nullable(),
  blind: z.string().nullable(),
  boxes: z.array(z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number(), score: z.number() })),
  /** Where in the picture: a byte a cell in base64, and the coarse grid of log-odds that decisions go by. */
  heat: heat.nullable().catch(null),
  ignoreZones: z.unknown(),
  state: z.record(z.string(), z.unknown()).catch({}),
  decision: z.enum(['none', 'warn', 'pause']),
})

/** A look at a print as it was recorded, with all that a replay needs. */
export type StoredScore = z.infer<typeof score>

/** The looks at a print, in order: from the records as long as its frames are kept, then from the stored scores. */
export async function* scoresOf(
  ctx: Pick<Ctx, 'db' | 'files'>,
  printId: PrintId,
): AsyncGenerator<StoredScore> {
  const place = await findScores(ctx.db, printId)
  const stored = place && (await ctx.files.get(place))
  if (!stored) return yield* recordsOf(ctx, printId)
  for await (const line of createInterface({ input: stored.pipe(createGunzip()) }))
    yield score.parse(JSON.parse(line))
}

async function* recordsOf({ db }: Pick<Ctx, 'db'>, printId: PrintId): AsyncGenerator<StoredScore> {
  let after: { at: Date; id: number } | null = null
  for (;;) {
    const page: Awaited<ReturnType<typeof findRecords>> = await findRecords(db, printId, after, PAGE)
    for (const { id: _, ...row } of page) {
      const read = score.safeParse(row)
      if (read.success) yield read.data
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { at: last.at, id: last.id }
  }
}

/** Stores all looks at a print, which outlive its frames. */
export async function putScores(ctx: Ctx, printId: PrintId, ref: MediaRef): Promise<void> {
  const lines = async function* () {
    for await (const one of recordsOf(ctx, printId)) yield `${JSON.stringify(one)}\n`
  }
  const from = Readable.from(lines())
  const packed = from.pipe(createGzip())
  from.once('error', (error) => packed.destroy(error))
  await ctx.files.put(ref, packed)
}
