import { createInterface } from 'node:readline'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import type { Parsed } from '@vigil/contract/endpoint.ts'
import type { decideAgain, ReplayCurve } from '@vigil/contract/prints/replay.ts'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import { inLane } from '../../../engines/db/lane.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { AppError } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import type { PrinterId, PrintId } from '../../../lib/id.ts'
import { judge, learntUnder, lookOf, rememberedOf, type StoredLook } from '../../watch/detection/index.ts'
import { type StoredScore, scoresOf } from '../timelapse/index.ts'
import { countFrames, findFirstLook, findReplay, findSettings } from './replay.queries.ts'

/** More points than pixels draw the same line. */
const MOST_POINTS = 1_000

/** One look on a curve. */
interface Point {
  /** Epoch milliseconds. */
  readonly at: number
  /** 0 to 1. */
  readonly gauge: number
  readonly decision: 'none' | 'warn' | 'pause'
  readonly isBlind: boolean
  readonly model: string | null
}

const tenth = (value: number) => Math.round(value * 10) / 10

/** A curve of looks in their order, from `start` (epoch milliseconds) on. */
function curveOf(points: readonly Point[], start: number): ReplayCurve {
  const seconds = ({ at }: Point) => tenth((at - start) / 1000)
  const each = Math.max(1, Math.ceil(points.length / MOST_POINTS))
  const drawn: Point[] = []
  for (let from = 0; from < points.length; from += each) {
    // A picture that showed nothing has no place on it.
    const seen = points.slice(from, from + each).filter(({ isBlind }) => !isBlind)
    if (seen.length > 0) drawn.push(seen.reduce((a, b) => (b.gauge > a.gauge ? b : a)))
  }
  const warned = points.find(({ decision }) => decision !== 'none')
  const paused = points.find(({ decision }) => decision === 'pause')
  return {
    t: drawn.map(seconds),
    gauge: drawn.map(({ gauge }) => tenth(Math.min(1, Math.max(0, gauge)) * 100)),
    warned: warned ? seconds(warned) : null,
    paused: paused ? seconds(paused) : null,
    looks: points.length,
    blind: points.filter(({ isBlind }) => isBlind).length,
    models: [...new Set(points.flatMap(({ model }) => model ?? []))],
  }
}

/** A replay takes the processor for so many looks, then lets others. */
const TURN_LOOKS = 20
/** Three weeks at a look each half minute, a week at one each 10 s. */
export const MOST_LOOKS = 60_480

/** What today's detector said of a picture, as a line of its file. */
const runLook = z.object({
  at: z.coerce.date(),
  model: z.string(),
  score: z.number(),
  blind: z.string().nullable(),
  boxes: z.array(z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number(), score: z.number() })),
  heat: z
    .object({ width: z.int(), height: z.int(), values: z.string(), grid: z.string().optional() })
    .nullable(),
})

/** What today's detector said of a print, in order. */
export async function* runLooks({ files }: Pick<Ctx, 'files'>, ref: MediaRef): AsyncGenerator<StoredLook> {
  const stored = await files.get(ref)
  if (stored === null) return
  for await (const line of createInterface({ input: stored.pipe(createGunzip()) }))
    yield runLook.parse(JSON.parse(line))
}

const state = z.object({ normalizedP: z.number() })

/** A recorded look on the curve of then. */
const pointOf = (look: StoredScore): Point => ({
  at: look.at.getTime(),
  gauge: state.safeParse(look.state).data?.normalizedP ?? 0,
  decision: look.decision,
  isBlind: look.blind !== null,
  model: look.model,
})

/** The print as it was judged. */
export async function readThen(ctx: Ctx, printId: PrintId) {
  const points: Point[] = []
  let hadZones = false
  for await (const look of scoresOf(ctx, printId)) {
    points.push(pointOf(look))
    hadZones ||= Array.isArray(look.ignoreZones) && look.ignoreZones.length > 0
    if (points.length % TURN_LOOKS === 0) await nextTurn()
    if (points.length === MOST_LOOKS) break
  }
  const start = points[0]?.at ?? null
  const last = points.at(-1)?.at ?? 0
  return {
    start,
    seconds: start === null ? 0 : (last - start) / 1000,
    curve: curveOf(points, start ?? 0),
    hadZones,
  }
}

type Wanted = Parsed<typeof decideAgain, 'body'>

/**
 * Judges a print again: the server's own rules over stored scores, no picture is looked at. One at a time on a node,
 * a few looks at once, so that nobody who watches waits. Raises 409 where the detector has not looked again.
 */
export async function judgeAgain(
  ctx: Ctx,
  { id: printId, printerId }: { readonly id: PrintId; readonly printerId: PrinterId | null },
  wanted: Wanted,
): Promise<ReplayCurve> {
  const run = wanted.over === 'run' ? await findReplay(ctx.db, printId) : undefined
  if (wanted.over === 'run' && (run?.state !== 'done' || run.looks === null))
    throw new AppError(409, { detail: text('replay-server', 'noRun') })
  const [settings, known, frames, start] = await Promise.all([
    findSettings(ctx.db, printerId),
    rememberedOf(ctx.db, wanted.with_learnt ? printerId : null),
    countFrames(ctx.db, printId),
    startOf(ctx, printId),
  ])
  const looks = run?.looks ? runLooks(ctx, run.looks) : scoresOf(ctx, printId)
  return await inLane(ctx.db, 'replay', 1, async () => {
    const points: Point[] = []
    let row = known
    const under = learntUnder(known)
    const setting = {
      zones: wanted.zones,
      // The model of today is known by its key; any other by its name.
      keyOf: (model: string) => (model === ctx.detector.model && under !== null ? under : model),
      size: frames.size,
      timeScale: ctx.config.DETECTION_TIME_SCALE,
    }
    for await (const stored of looks) {
      const look = lookOf(stored, setting)
      if (look === null) continue
      const next = judge(row, look, wanted.sensitivity, settings?.detectionBendingFactor ?? null)
      row = next.row
      points.push({
        at: stored.at.getTime(),
        gauge: row.normalizedP,
        decision: next.judged.decision,
        isBlind: stored.blind !== null,
        model: stored.model,
      })
      if (points.length % TURN_LOOKS === 0) await nextTurn()
      if (points.length === MOST_LOOKS || ctx.stopping.aborted) break
    }
    return curveOf(points, start ?? points[0]?.at ?? 0)
  })
}

/** When the print was first looked at, in epoch milliseconds: both curves begin there. Null when it never was. */
export async function startOf(ctx: Pick<Ctx, 'db' | 'files'>, printId: PrintId): Promise<number | null> {
  const recorded = await findFirstLook(ctx.db, printId)
  if (recorded !== null) return recorded.getTime()
  for await (const { at } of scoresOf(ctx, printId)) return at.getTime()
  return null
}
