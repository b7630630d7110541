import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { DiskFull, FilesUnavailable } from '../../../engines/files/port.ts'
import { DetectorUnavailable } from '../../../engines/inference/port.ts'
import { ffmpegVersion } from '../../../engines/programs/ffmpeg.ts'
import { ProgramFailed } from '../../../engines/programs/port.ts'
import { filmSettled } from '../../tell/notifications/index.ts'
import { analyse, FilmRefused } from '../uploads/analyse.service.ts'
import { setAlerted } from '../uploads/uploads.queries.ts'
import { chosenOf, curveOf, issuesOf, predictionOf, type Scene, scenesOf } from '../films/scenes.rules.ts'
import { filmSize, isLongEnough, picturesPerSecond } from '../films/choose.rules.ts'
import { putFilm, type Studio, turned } from '../films/films.service.ts'
import { findFrames, findLooks } from '../films/frames.queries.ts'
import { dropFrames } from '../retention/retention.service.ts'
import { placesOf } from '../retention/retention.rules.ts'
import { putScores } from '../films/scores.service.ts'
import { keepShots } from '../films/shots.service.ts'
import * as queries from '../films/timelapse.queries.ts'
import type { EndedPrint, TimelapseRow } from '../films/timelapse.queries.ts'
import { turnOf } from './turn.rules.ts'

const BEAT_MS = 10_000
const TRIES = 5
const MINUTE_MS = 60_000
/** A poster is wanted of the end, but not of a picture that is broken. */
const POSTER_TRIES = 10

/** What a worker has in hand. */
interface Work {
  readonly print: EndedPrint
  readonly row: TimelapseRow
  readonly studio: Omit<Studio, 'picturesPerSecond' | 'size'>
}

/** How it came out. */
type Outcome = Parameters<typeof queries.update>[2] & { readonly state: string }

/**
 * Makes the time-lapse of a print that is over, if it is to be made and nobody else makes it. What was made before a
 * crash is not made again; a failure is tried again later, five times, and as often as it takes when the disk is full.
 */
export async function makeTimelapse(ctx: Ctx, printId: PrintId, signal: AbortSignal): Promise<void> {
  const print = await queries.findEnded(ctx.db, printId)
  if (print === undefined) return
  await queries.openTimelapse(ctx.db, { printId, endedAt: print.endedAt })
  const worker = randomUUID()
  const row = await queries.claim(ctx.db, { printId, worker, now: ctx.clock.now() })
  if (row === undefined) return
  const mine = { printId, worker }
  const lost = new AbortController()
  let progress = 0
  const say = async () => {
    if (!(await queries.beat(ctx.db, { ...mine, now: ctx.clock.now(), progress }))) lost.abort()
  }
  const beating = setInterval(() => void say().catch(() => undefined), BEAT_MS)
  const folder = join(ctx.config.dataFolder, 'tmp', `timelapse-${printId}`)
  let told = 0
  const studio = {
    folder,
    turn: row.turn ?? turnOf(print.agentSettings),
    signal: AbortSignal.any([signal, lost.signal]),
    onProgress(share: number) {
      progress = share
      if (share - told < 0.05) return
      told = share
      void say().catch(() => undefined)
    },
  }
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await queries.update(ctx.db, mine, { turn: JSON.stringify(studio.turn) })
    await queries.update(ctx.db, mine, { ...(await make(ctx, { print, row, studio })), progress: 1 })
    await filmSettled(ctx, printId)
  } catch (error) {
    if (error instanceof FilmRefused && row.source) await forgetSource(ctx, { print, row }, error.why)
    else await fail(ctx, mine, row, error)
  } finally {
    clearInterval(beating)
    await rm(folder, { recursive: true, force: true })
  }
}

/** An uploaded film has become frames, or never will: it goes. */
async function forgetSource(
  ctx: Ctx,
  { print, row }: Pick<Work, 'print' | 'row'>,
  refusal: string | null,
): Promise<void> {
  const mine = { printId: print.id, worker: row.worker ?? '' }
  const refused = { state: 'failed', refusal, fileBytes: 0 }
  if (!(await queries.update(ctx.db, mine, { source: null, ...(refusal !== null && refused) }))) return
  if (row.source !== null) await ctx.files.remove(row.source)
}

/** When it is tried again, or that it is not. */
async function fail(
  ctx: Ctx,
  mine: { printId: PrintId; worker: string },
  { attempts }: TimelapseRow,
  error: unknown,
): Promise<void> {
  const { printId } = mine
  const isOurs = error instanceof ProgramFailed && error.why === 'stopped'
  const waits =
    error instanceof DiskFull || error instanceof FilesUnavailable || error instanceof DetectorUnavailable
  const now = ctx.clock.now()
  if (!isOurs) ctx.log.warn({ err: error, printId, attempts }, 'a time-lapse could not be made this time')
  const retry = (ms: number, counted: number) =>
    queries.update(ctx.db, mine, { state: 'waiting', attempts: counted, dueAt: new Date(now + ms) })
  if (isOurs || ctx.stopping.aborted) await retry(0, attempts - 1)
  else if (waits) await retry(MINUTE_MS, attempts - 1)
  else if (attempts < TRIES) await retry(MINUTE_MS * 2 ** (attempts - 1), attempts)
  else {
    await queries.update(ctx.db, mine, { state: 'failed' })
    await filmSettled(ctx, printId)
  }
}

async function make(ctx: Ctx, work: Work): Promise<Outcome> {
  const { print, row } = work
  if (row.source !== null) {
    if (!(await hasFfmpeg(ctx))) return { state: 'no_ffmpeg', dueAt: new Date(ctx.clock.now()) }
    await analyse(ctx, {
      ...work.studio,
      printId: print.id,
      source: row.source,
      printSeconds: row.sourceSeconds,
      endedAt: row.endedAt,
    })
    await forgetSource(ctx, work, null)
  }
  const [frames, looks] = [await findFrames(ctx.db, print.id), await findLooks(ctx.db, print.id)]
  const places = placesOf(print.id)
  if (looks.length > 0) await putScores(ctx, print.id, places.scores)
  const scores = looks.length > 0 ? JSON.stringify(places.scores) : null
  const common = { scores, issues: issuesOf(looks) }
  const times = { ...print, isCancelled: print.cancelledAt !== null }
  const { minTimelapseSecsOnFinish: onFinish, minTimelapseSecsOnCancel: onCancel } = print
  const least = { minTimelapseSecsOnFinish: onFinish ?? 0, minTimelapseSecsOnCancel: onCancel ?? 0 }
  if (frames.length === 0) return { ...common, state: 'empty' }
  const scenes = scenesOf(frames, looks)
  await queries.setMedia(ctx.db, print.id, { scoreCurve: curveOf(scenes) })
  if (!isLongEnough(times, least)) {
    await dropFrames(ctx, print)
    return { ...common, state: 'short', framesGoneAt: new Date(ctx.clock.now()) }
  }
  if (print.printerId === null)
    await setAlerted(ctx.db, print.id, looks.find(({ decision }) => decision !== 'none')?.at ?? null)
  const poster = await putPoster(ctx, work, scenes)
  await keepShots(ctx, print, work.studio.turn, scenes)
  const chosen = chosenOf(scenes)
  const shown = (await hasFfmpeg(ctx)) ? await putFilms(ctx, work, chosen) : null
  if (shown === null && looks.length > 0) await putPredictions(ctx, print, chosen)
  const made = [poster, ...Object.values(places)]
  const weight = frames.reduce((sum, { numBytes, tagged }) => sum + numBytes * (tagged ? 2 : 1), 0)
  return {
    ...common,
    state: shown === null ? 'no_ffmpeg' : 'ready',
    dueAt: new Date(ctx.clock.now()),
    frames: (shown ?? chosen).length,
    picturesPerSecond: picturesPerSecond(chosen.length),
    frameBytes: weight,
    fileBytes: await weigh(ctx, made),
  }
}

/** Whether videos can be made. */
export async function hasFfmpeg(ctx: Ctx): Promise<boolean> {
  try {
    await ffmpegVersion(ctx)
    return true
  } catch (error) {
    if (error instanceof ProgramFailed && error.why === 'missing') return false
    throw error
  }
}

/**
 * The plain film and the one with what was found drawn on it; of a print with nothing to draw both are one. Returns the
 * scenes in them.
 */
async function putFilms(
  ctx: Ctx,
  { print, row, studio }: Work,
  chosen: readonly Scene[],
): Promise<readonly Scene[]> {
  const { plain, tagged } = placesOf(print.id)
  const wasWatched = chosen.some(({ known }) => known !== null)
  const isDrawn = wasWatched && chosen.some(({ frame }) => frame.tagged !== null)
  const size = filmSize(
    chosen.map(({ frame }) => frame),
    studio.turn.rotation,
  )
  const done = { plain: 0, tagged: 0 }
  const part = (kind: keyof typeof done): Studio => ({
    ...studio,
    size,
    picturesPerSecond: picturesPerSecond(chosen.length),
    onProgress(share) {
      done[kind] = share
      studio.onProgress(isDrawn ? (done.plain + done.tagged) / 2 : share)
    },
  })
  const isMade = print.video !== null && row.frames === chosen.length
  const mine = { printId: print.id, worker: row.worker ?? '' }
  const putPlain = async () => {
    const shown = isMade ? chosen : await putFilm(ctx, part('plain'), chosen, { kind: 'plain', ref: plain })
    await queries.update(ctx.db, mine, { frames: shown.length })
    await queries.setMedia(ctx.db, print.id, { video: JSON.stringify(plain) })
    return shown
  }
  // Side by side, on a core each; the drawn one is made anew only when a picture of the plain one was broken.
  const [first, second] = await Promise.allSettled([
    putPlain(),
    isDrawn ? putTagged(ctx, part('tagged'), chosen, tagged) : null,
  ])
  if (first.status === 'rejected') throw first.reason
  const shown = first.value
  if (!wasWatched) return shown
  await putPredictions(ctx, print, shown)
  if (second.status === 'rejected') throw second.reason
  if (isDrawn && shown.length < chosen.length) await putTagged(ctx, part('tagged'), shown, tagged)
  await queries.setMedia(ctx.db, print.id, { taggedVideo: JSON.stringify(isDrawn ? tagged : plain) })
  return shown
}

/** Of as many pictures as the plain film: one whose drawing is broken is shown without. */
async function putTagged(ctx: Ctx, studio: Studio, shown: readonly Scene[], ref: MediaRef): Promise<void> {
  const drawn = new Set(await putFilm(ctx, studio, shown, { kind: 'tagged', ref }))
  if (drawn.size === shown.length) return
  const plain = (scene: Scene): Scene => ({ ...scene, frame: { ...scene.frame, tagged: null }, look: null })
  const mended = shown.map((scene) => (drawn.has(scene) ? scene : plain(scene)))
  await putFilm(ctx, studio, mended, { kind: 'tagged', ref })
}

/** One element for each frame of the film. */
async function putPredictions(ctx: Ctx, print: EndedPrint, scenes: readonly Scene[]): Promise<void> {
  const { predictions } = placesOf(print.id)
  const elements = scenes.map((scene) => predictionOf(print.printerId, scene))
  await ctx.files.put(predictions, Buffer.from(JSON.stringify(elements)))
  await queries.setMedia(ctx.db, print.id, { predictionJson: JSON.stringify(predictions) })
}

/** The last picture that is whole, as it is meant to be seen. */
async function putPoster(
  ctx: Ctx,
  { print, studio }: Work,
  scenes: readonly Scene[],
): Promise<MediaRef | null> {
  const { poster } = placesOf(print.id)
  for (const scene of scenes.slice(-POSTER_TRIES).reverse()) {
    const picture = await turned(ctx, scene, studio.turn)
    if (picture === null) continue
    await ctx.files.put(poster, picture)
    await queries.setMedia(ctx.db, print.id, { poster: JSON.stringify(poster) })
    return poster
  }
  return null
}

async function weigh(ctx: Ctx, refs: readonly (MediaRef | null)[]): Promise<number> {
  let numBytes = 0
  for (const path of new Set(refs.flatMap((ref) => ref?.path ?? [])))
    numBytes += (await ctx.files.stat({ container: 'tsd-timelapses', path }))?.numBytes ?? 0
  return numBytes
}
