import type { LookedAt } from '@vigil/contract/assistant/answers.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { Edge } from '../../../http/edge.ts'
import { notFound } from '../../../http/errors.ts'
import { inNameOf, type SlicerPrincipal, type UserPrincipal } from '../../../http/principal.ts'
import type { Language } from '../../../http/texts.ts'
import { mediaUrl } from '../../core/media/index.ts'
import { temperaturesOfPrint } from '../../printers/temperatures/index.ts'
import { requirePrint } from '../../prints/prints/index.ts'
import { framesOf, scoresOf, type StoredFrame, type StoredScore } from '../../prints/timelapse/index.ts'
import { say, shown } from '../advisor/say.ts'
import type { Shown } from '../minds/minds.service.ts'

const MOST = 60
/** Of these, so many that looked worst. */
const WORST = 20
const MOST_BYTES = 8 * 1_048_576
/** So far from its target a heater does not belong to the picture of a print that goes well. */
const FAR = 12
/** Temperatures of this long before and after. */
const NEAR_S = 60

type Caller = UserPrincipal | SlicerPrincipal

/** Our own slicer stands for its person. */
const personOf = (caller: Caller): UserPrincipal => (caller.kind === 'user' ? caller : inNameOf(caller))

async function looksOf(ctx: Ctx, printId: StoredPrint['id']): Promise<ReadonlyMap<number, StoredScore>> {
  const looks = new Map<number, StoredScore>()
  for await (const look of scoresOf(ctx, printId)) if (look.frameId !== null) looks.set(look.frameId, look)
  return looks
}
type StoredPrint = Awaited<ReturnType<typeof requirePrint>>

/** Moments of a print that can be shown to the assistant: spread over all of it, with those that looked worst. */
export async function momentsOf(ctx: Ctx, caller: Caller, printId: number, edge: Edge) {
  const print = await requirePrint(ctx, personOf(caller), printId, 'see')
  const [frames, looks] = await Promise.all([framesOf(ctx.db, print.id), looksOf(ctx, print.id)])
  const scoreOf = ({ id }: StoredFrame) => looks.get(id)?.score ?? null
  const worst = frames
    .filter((frame) => scoreOf(frame) !== null)
    .toSorted((a, b) => (scoreOf(b) ?? 0) - (scoreOf(a) ?? 0))
    .slice(0, WORST)
  const step = Math.max(1, frames.length / (MOST - WORST))
  const spread = Array.from(
    { length: Math.min(frames.length, MOST - WORST) },
    (_, i) => frames[Math.floor(i * step)],
  )
  const chosen = new Set([...worst, ...spread])
  return frames
    .filter((frame) => chosen.has(frame))
    .map((frame) => ({
      at: frame.at.toISOString(),
      image_url: mediaUrl(ctx, frame.tagged ?? frame.picture, edge),
      score: scoreOf(frame),
    }))
}

/** A moment with what its detector marked and the temperatures of that minute. Raises 404 where there is no such moment. */
export async function momentAt(
  ctx: Ctx,
  caller: Caller,
  { printId, at, edge, language }: { printId: number; at: string; edge: Edge; language: Language },
): Promise<{ lookedAt: LookedAt; shown: Shown }> {
  const print = await requirePrint(ctx, personOf(caller), printId, 'see')
  const frame = (await framesOf(ctx.db, print.id)).find((one) => one.at.toISOString() === at)
  if (frame === undefined) throw notFound()
  const look = (await looksOf(ctx, print.id)).get(frame.id)
  const boxes = (look?.boxes ?? []).map(({ x, y, w, h, score }) => ({
    x: (x + w / 2) / frame.width,
    y: (y + h / 2) / frame.height,
    width: w / frame.width,
    height: h / frame.height,
    confidence: score,
  }))
  const temperatures = await heatAt(ctx, print, frame.at)
  const bytes = await bytesOf(ctx, frame.picture)
  return {
    lookedAt: {
      print_id: print.id,
      filename: print.filename,
      at,
      image_url: mediaUrl(ctx, frame.tagged ?? frame.picture, edge),
      boxes,
      temperatures,
    },
    shown: {
      picture: bytes && `data:image/jpeg;base64,${bytes.toString('base64')}`,
      words: [
        ...(look === undefined ? [] : [boxWords(language, boxes.length)]),
        ...heatWords(language, temperatures),
      ],
    },
  }
}

const boxWords = (language: Language, count: number) =>
  count > 0 ? say(language, 'pictureBoxes', { count }) : say(language, 'pictureClear')

const heatWords = (language: Language, temperatures: LookedAt['temperatures']): string[] =>
  temperatures.flatMap(({ heater, actual, target }) => {
    if (target === null || target <= 0 || Math.abs(actual - target) < FAR) return []
    const degrees = (value: number) => shown(language, 'nozzle_temperature', String(Math.round(value)))
    return [
      say(language, 'pictureHeat', {
        heater: heater.slice(0, 60),
        actual: degrees(actual),
        target: degrees(target),
      }),
    ]
  })

async function heatAt(ctx: Ctx, print: StoredPrint, at: Date): Promise<LookedAt['temperatures']> {
  const seconds = at.getTime() / 1000
  const heaters = await temperaturesOfPrint(ctx, print)
  return Object.entries(heaters).flatMap(([heater, samples]) => {
    const near = samples
      .filter(([t]) => Math.abs(t - seconds) <= NEAR_S)
      .toSorted(([a], [b]) => Math.abs(a - seconds) - Math.abs(b - seconds))[0]
    return near ? [{ heater, actual: near[1], target: near[2] }] : []
  })
}

async function bytesOf({ files }: Ctx, ref: MediaRef): Promise<Buffer | null> {
  const stored = await files.get(ref)
  if (stored === null) return null
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stored) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > MOST_BYTES) return null
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}
