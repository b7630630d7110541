import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import { type Id, idOf, NO_ID, type PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { BadPicture, DetectorUnavailable } from '../../../engines/inference/port.ts'
import { followPicture, type PictureHistory } from '../../../engines/inference/quality.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { PICTURE_MS, storedHeatOf } from '../../watch/detection/index.ts'
import { MOST_LOOKS } from './looks.service.ts'
import { deleteReplay, findDoomed, findFramesAfter, findReplay, followReplay } from './replay.queries.ts'

const wanted = z.object({ printId: idOf<'prints'>() })

/** Today's detector over a print. Tried once more after a server was killed; a print of weeks takes half an hour. */
export const RUN: JobKind<z.infer<typeof wanted>> = {
  name: 'replay',
  schema: wanted,
  concurrency: 1,
  retries: 2,
  timeoutMs: 2 * 3_600_000,
}

const PAGE = 200
/** Who watches a print goes first: while pictures wait, none of ours is added. */
const CALM_EVERY_MS = 50
const CALM_AT_MOST_MS = 30_000
/** Progress is written, and asked whether it is still wanted, each so many pictures. */
const TELL_EVERY = 25
/** The detector rests for as long as it worked, so that at most half of one of its threads is ours. */
const REST = 1

const refOf = (printId: PrintId): MediaRef => ({
  container: 'tsd-timelapses',
  path: `replays/${printId}.jsonl.gz`,
})

/** Nobody wants it any more. */
class GivenUp extends Error {}

/** Looks at every stored picture of a print and stores what was said, whole or not at all. */
export async function runReplay(ctx: Ctx, printId: PrintId, signal: AbortSignal): Promise<void> {
  const row = await findReplay(ctx.db, printId)
  if (row === undefined || (row.state !== 'waiting' && row.state !== 'running')) return
  const ends = AbortSignal.any([signal, ctx.stopping])
  const progress: { looked: number; model: string | null } = { looked: 0, model: null }
  try {
    const lines = Readable.from(looksAt(ctx, printId, progress, ends))
    const packed = lines.pipe(createGzip())
    lines.once('error', (error) => packed.destroy(error))
    await ctx.files.put(refOf(printId), packed)
    const isWanted = await followReplay(ctx.db, printId, {
      ...progress,
      state: 'done',
      looks: JSON.stringify(refOf(printId)),
      doneAt: new Date(ctx.clock.now()),
    })
    if (!isWanted) throw new GivenUp()
  } catch (error) {
    if (error instanceof GivenUp) {
      if ((await findReplay(ctx.db, printId)) === undefined) await ctx.files.remove(refOf(printId))
      return
    }
    // A server that stops goes on with it after its start.
    if (!ends.aborted) await followReplay(ctx.db, printId, { state: 'failed', looks: null })
    throw error
  }
}

interface Progress {
  looked: number
  model: string | null
}

/** A line for each picture that can be read. */
async function* looksAt(ctx: Ctx, printId: PrintId, progress: Progress, ends: AbortSignal) {
  let history: PictureHistory | null = null
  let after: Id<'frames'> = NO_ID
  let seen = 0
  for (;;) {
    const page = await findFramesAfter(ctx.db, printId, after, PAGE)
    for (const { id, picture, createdAt } of page) {
      after = id
      if (seen++ % TELL_EVERY === 0) {
        const { looked, model } = progress
        if (!(await followReplay(ctx.db, printId, { state: 'running', looked, model }))) throw new GivenUp()
      }
      await calm(ctx, ends)
      const began = performance.now()
      const inspection = await inspect(ctx, picture)
      progress.looked = seen
      if (inspection === null) continue
      const { quality, heat, score, model, boxes } = inspection
      const at = createdAt.getTime()
      const followed = followPicture(history, quality, at, PICTURE_MS)
      history = followed.history
      progress.model = model
      const blind = followed.condition
      yield `${JSON.stringify({ at: createdAt, model, score, blind, boxes, heat: heat && storedHeatOf(heat) })}\n`
      await sleep((performance.now() - began) * REST, undefined, { signal: ends })
    }
    if (page.length < PAGE || seen >= MOST_LOOKS) return
  }
}

/** Waits until no picture of a running print waits for the detector. */
async function calm({ detector }: Ctx, ends: AbortSignal): Promise<void> {
  const until = performance.now() + CALM_AT_MOST_MS
  while (detector.health().queued > 0 && performance.now() < until)
    await sleep(CALM_EVERY_MS, undefined, { signal: ends })
}

/** Null for a picture that is gone or cannot be read. Without zones: they are taken off when it is judged. */
async function inspect({ files, detector }: Ctx, picture: MediaRef) {
  const bytes = await files.get(picture)
  if (bytes === null) return null
  try {
    return await detector.detect(await buffer(bytes))
  } catch (error) {
    if (error instanceof BadPicture) return null
    if (error instanceof DetectorUnavailable) throw new Error('the detector is down', { cause: error })
    throw error
  }
}

/** Forgets what was said again of a print. */
export async function forgetReplay(ctx: Ctx, printId: PrintId): Promise<void> {
  await deleteReplay(ctx.db, printId)
  await ctx.files.remove(refOf(printId))
}

/** Removes what belongs to prints that are gone. */
export async function sweepReplays(ctx: Ctx, signal: AbortSignal): Promise<void> {
  for (const printId of await findDoomed(ctx.db, 1_000)) if (!signal.aborted) await forgetReplay(ctx, printId)
}
