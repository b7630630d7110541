import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Timelapse } from '@vigil/contract/prints/timelapse.ts'
import type { PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { probeFilm, takeStills } from '../../../engines/programs/ffmpeg.ts'
import { ProgramFailed } from '../../../engines/programs/port.ts'
import { readDimensions } from '../../../lib/jpeg.ts'
import { judgeFilm } from '../../watch/detection/index.ts'
import { dropFrames } from '../retention/retention.service.ts'
import { insertFrame } from './uploads.queries.ts'
import { stillsOf } from './uploads.rules.ts'

type Refusal = NonNullable<Timelapse['refusal']>

/** An uploaded film that cannot be analysed, and never will be. */
export class FilmRefused extends Error {
  override readonly name = 'FilmRefused'
  readonly why: Refusal
  constructor(why: Refusal, options?: ErrorOptions) {
    super(`an uploaded film is refused: ${why}`, options)
    this.why = why
  }
}

/** Pictures are decoded one at a time, each of no more than this. */
const MOST_PIXELS = 40_000_000
const LONGEST_S = 24 * 3_600
const WIDEST = 960
const LIMITS = { timeMs: 4 * 60_000, memoryBytes: 768 * 1_048_576, fileBytes: 4 * 1_048_576 }

interface Upload {
  readonly printId: PrintId
  readonly source: MediaRef
  readonly printSeconds: number | null
  readonly endedAt: Date
  readonly folder: string
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}

/**
 * Takes pictures out of an uploaded film and has the detector look at each; then they are frames of its print, like any
 * other's. Begun again, it starts over. Raises `FilmRefused` for what is no film, or too much of one.
 */
export async function analyse(ctx: Ctx, upload: Upload): Promise<void> {
  const { printId, folder, signal } = upload
  await dropFrames(ctx, { id: printId, printerId: null })
  const { stills, stepSeconds } = await taken(ctx, upload).catch(refusing)
  const names = (await readdir(stills)).sort()
  if (names.length === 0) throw new FilmRefused('no_pictures')
  const stepMs = stepSeconds * 1000
  const frames = async function* () {
    for (const [place, name] of names.entries()) {
      upload.onProgress(place / names.length)
      const bytes = await readFile(join(stills, name))
      const at = upload.endedAt.getTime() - Math.round((names.length - place) * stepMs)
      const raw = { container: 'tsd-pics', path: `raw/uploads/${printId}/${name}` } as const
      const numBytes = await ctx.files.put(raw, bytes)
      const { width, height } = readDimensions(bytes)
      const picture = JSON.stringify(raw)
      const frame = { printId, picture, numBytes, width, height, createdAt: new Date(at) }
      yield { frameId: await insertFrame(ctx.db, frame), raw, bytes, at }
    }
  }
  await judgeFilm(ctx, { printId, stepMs, signal }, frames())
  ctx.log.info({ printId, pictures: names.length, folder }, 'an uploaded film was analysed')
}

async function taken(ctx: Ctx, { source, printSeconds, folder, signal }: Upload) {
  const film = join(folder, 'film')
  const content = await ctx.files.get(source)
  if (content === null) throw new FilmRefused('unreadable')
  await pipeline(content, createWriteStream(film, { mode: 0o600 }))
  const { seconds, picturesPerSecond, width, height } = await probeFilm(ctx, film, signal)
  if (width * height > MOST_PIXELS) throw new FilmRefused('too_large')
  if (seconds > LONGEST_S) throw new FilmRefused('too_long')
  const { everySeconds, stepSeconds, most } = stillsOf(seconds, picturesPerSecond, printSeconds)
  const stills = join(folder, 'stills')
  await mkdir(stills, { mode: 0o700 })
  await takeStills(
    ctx,
    { film, everySeconds, most, widest: WIDEST, formats: 'uploads', to: stills },
    { signal, limits: LIMITS },
  )
  return { stills, stepSeconds }
}

const WHY: Partial<Record<ProgramFailed['why'], Refusal>> = {
  refused: 'unreadable',
  memory: 'too_large',
  time: 'too_long',
}

function refusing(error: unknown): never {
  const why =
    error instanceof ProgramFailed && !/no space left/i.test(error.said) ? WHY[error.why] : undefined
  throw why === undefined ? error : new FilmRefused(why, { cause: error })
}
