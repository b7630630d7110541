import type { Id, PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { BadPicture, type Inspection } from '../../../engines/inference/port.ts'
import { followPicture, type PictureHistory } from '../../../engines/inference/quality.ts'
import { newClassicState } from '../temporal/classic.rules.ts'
import { recordOf } from '../deciding/decide.service.ts'
import { insertDecision } from '../deciding/predictions.queries.ts'
import { consider, type Remembered, toneOf } from '../deciding/temporal.rules.ts'
import { drawFrame } from './boxes.service.ts'

/** A picture of a film that somebody uploaded, stored. */
interface FilmFrame {
  readonly frameId: Id<'frames'>
  readonly raw: { readonly container: 'tsd-pics'; readonly path: string }
  readonly bytes: Buffer
  readonly at: number
}

/** A printer that was never watched. */
const NEW_PRINTER: Remembered = { ...newClassicState(), normalizedP: 0, steady: null }

/**
 * Has the detector look at a film that somebody uploaded, as at a print on a printer that was never watched: each look has its
 * record, with what was found drawn beside the frame; nobody is told. Raises DetectorUnavailable.
 */
export async function judgeFilm(
  ctx: Ctx,
  {
    printId,
    stepMs,
    signal,
  }: { readonly printId: PrintId; readonly stepMs: number; readonly signal: AbortSignal },
  frames: AsyncIterable<FilmFrame>,
): Promise<void> {
  let row = NEW_PRINTER
  let history: PictureHistory | null = null
  for await (const frame of frames) {
    signal.throwIfAborted()
    const { frameId, at } = frame
    const inspection = await inspect(ctx, frame.bytes)
    if (inspection === null) continue
    const { modelKey, score, boxes, heat, quality } = inspection
    const followed = followPicture(history, quality, at, stepMs)
    history = followed.history
    const blind = followed.condition
    const [usable, moved] = [blind === null, blind === 'moved']
    const look = { at, kind: ctx.detector.kind, modelKey, score, boxes, heat, usable, moved }
    const verdict = consider(row, look, { sensitivity: 1, bendingFactor: null })
    row = verdict.next
    await drawFrame(ctx, frame, inspection, toneOf(verdict))
    const watched = { printerId: null, printId, ignoreZones: [] }
    await insertDecision(
      ctx.db,
      recordOf({ watched, frameId, at, inspection, blind, isQuiet: false }, verdict),
    )
  }
}

/** What the detector says; null of a picture that cannot be read. */
async function inspect(ctx: Ctx, bytes: Buffer): Promise<Inspection | null> {
  try {
    return await ctx.detector.detect(bytes)
  } catch (error) {
    if (error instanceof BadPicture) return null
    throw error
  }
}
