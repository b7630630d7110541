import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { DiskFull } from '../../../engines/files/port.ts'
import { drawBoxes } from '../../../engines/inference/draw.ts'
import { BadPicture, type BoxTone } from '../../../engines/inference/port.ts'
import { turnedJpeg } from '../../../engines/inference/reencode.ts'
import { makeFilm, type Turn } from '../../../engines/programs/ffmpeg.ts'
import { ProgramFailed } from '../../../engines/programs/port.ts'
import { hasEnd, PictureError, readDimensions } from '../../../lib/jpeg.ts'
import { DRAWN_ABOVE, toneOfRecord } from '../../watch/detection/index.ts'
import type { Scene } from './scenes.rules.ts'

/** Where a film is made, and what hears how far it is. */
export interface Studio {
  /** An own folder on the disk, for what is not finished. */
  readonly folder: string
  readonly turn: Turn
  readonly picturesPerSecond: number
  readonly size: { readonly width: number; readonly height: number }
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}

type Kind = 'plain' | 'tagged'

const LIMITS = { timeMs: 15 * 60_000, memoryBytes: 768 * 1_048_576, fileBytes: 512 * 1_048_576 }

/** Where so many pictures are damaged it is the camera's way, and they are shown as far as they go. */
const MOST_DAMAGED = 0.2

/**
 * Makes a film of these scenes at `ref`, and returns the scenes that are in it: those whose picture has gone or is broken
 * are left out. Raises `ProgramFailed`, `DiskFull`.
 */
export async function putFilm(
  ctx: Ctx,
  studio: Studio,
  scenes: readonly Scene[],
  { kind, ref }: { readonly kind: Kind; readonly ref: MediaRef },
): Promise<Scene[]> {
  const to = join(studio.folder, `${kind}.mp4`)
  const strict = await film(ctx, studio, scenes, { kind, to, isStrict: true }).catch((error: unknown) => {
    if (error instanceof ProgramFailed && error.why === 'refused') return []
    throw error
  })
  const isEnough = strict.length >= scenes.length * (1 - MOST_DAMAGED)
  const shown = isEnough ? strict : await film(ctx, studio, scenes, { kind, to, isStrict: false })
  await ctx.files.put(ref, createReadStream(to))
  return shown
}

interface Reel {
  readonly kind: Kind
  readonly to: string
  readonly isStrict: boolean
}

async function film(
  ctx: Ctx,
  { turn, picturesPerSecond, size, signal, onProgress }: Studio,
  scenes: readonly Scene[],
  { kind, to, isStrict }: Reel,
): Promise<Scene[]> {
  const given: Scene[] = []
  const pictures = async function* () {
    for (const scene of scenes) {
      const picture = await pictureOf(ctx, scene, kind)
      if (picture === null) continue
      given.push(scene)
      yield picture
    }
  }
  try {
    const places = await makeFilm(
      ctx,
      {
        pictures: pictures(),
        count: scenes.length,
        picturesPerSecond,
        ...size,
        turn,
        isStrict,
        threads: 1,
        to,
      },
      { signal, onProgress, limits: LIMITS },
    )
    return places.flatMap((place) => given[place] ?? [])
  } catch (error) {
    if (error instanceof ProgramFailed && /no space left on device|disk quota/i.test(error.said))
      throw new DiskFull(ctx.config.dataFolder, { cause: error })
    throw error
  }
}

/** The stored picture of a scene; null when it has gone, or its head or end are no picture's. */
async function pictureOf(ctx: Ctx, { frame, look }: Scene, kind: Kind): Promise<Buffer | null> {
  const raw = await read(ctx, frame.picture)
  if (raw === null || kind === 'plain') return raw
  const drawn = frame.tagged && (await read(ctx, frame.tagged))
  if (drawn) return drawn
  const boxes = look?.boxes.filter(({ score }) => score > DRAWN_ABOVE) ?? []
  if (look === null || boxes.length === 0) return raw
  const tone: BoxTone = toneOfRecord(look.decision, look.state.normalizedP)
  return await drawBoxes(raw, { boxes, tone }).catch((error: unknown) => {
    if (error instanceof BadPicture) return raw
    throw error
  })
}

async function read(ctx: Ctx, ref: MediaRef): Promise<Buffer | null> {
  const content = await ctx.files.get(ref)
  if (content === null) return null
  const bytes = await buffer(content)
  try {
    return readDimensions(bytes).format === 'jpeg' && hasEnd(bytes) ? bytes : null
  } catch (error) {
    if (error instanceof PictureError) return null
    throw error
  }
}

/** The picture of a scene as it is meant to be seen; null when it has gone or is broken. */
export async function turned(ctx: Ctx, { frame }: Scene, turn: Turn): Promise<Buffer | null> {
  const bytes = await read(ctx, frame.picture)
  if (bytes === null) return null
  return await turnedJpeg(bytes, turn).catch((error: unknown) => {
    if (error instanceof BadPicture) return null
    throw error
  })
}
