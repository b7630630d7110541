import { randomBytes, createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text as wholeText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { bareFilm } from '../../../engines/programs/ffmpeg.ts'
import { ProgramFailed } from '../../../engines/programs/port.ts'
import { type Id, idOf } from '../../../lib/id.ts'
import { cleanPicture } from '../../watch/detection/index.ts'
import { changeEntry, type Entry, findEntry, knownKeys } from './gallery.queries.ts'
import { copyAt, filmOf, flatScores, folderOf, keyOf, ROOT } from './gallery.rules.ts'
import { announceChange } from './shelf.ts'

const DAY_MS = 86_400_000

const published = z.object({ id: idOf<'publicTimelapses'>() })
const removed = z.object({ key: z.string() })

/** Makes the copies of an accepted entry, and then shows it. */
export const PUBLISH: JobKind<z.infer<typeof published>> = {
  name: 'gallery-publish',
  schema: published,
  concurrency: 1,
}

/** Removes copies that nobody is shown any more. */
export const REMOVE_COPIES: JobKind<z.infer<typeof removed>> = { name: 'gallery-remove', schema: removed }

/**
 * Copies film, poster and scores of an accepted entry to a place of their own, bare of anything that tells whose they are,
 * and makes it public, unless it was withdrawn meanwhile; where it is not what was accepted any more, it is to be decided on anew.
 * Raises what failed, after it was written down.
 */
export async function publish(ctx: Ctx, id: Id<'publicTimelapses'>, signal: AbortSignal): Promise<void> {
  const entry = await findEntry(ctx.db, id)
  if (entry?.state !== 'accepted') return
  const key = randomBytes(16).toString('base64url')
  let isShown = false
  try {
    const hasPoster = await copy(ctx, entry, key, signal)
    if ((await versionOf(ctx, entry)) !== entry.acceptedVersion) return await askAnew(ctx, entry)
    const shown = await changeEntry(ctx.db, entry, ['accepted'], {
      state: 'public',
      key,
      hasPoster,
      problem: null,
      publicAt: new Date(ctx.clock.now()),
    })
    isShown = shown !== undefined
  } catch (error) {
    const problem = error instanceof ProgramFailed ? error.why : 'failed'
    await changeEntry(ctx.db, entry, ['accepted'], { problem })
    throw error
  } finally {
    if (!isShown) await ctx.files.removeAll('tsd-timelapses', folderOf(key))
  }
  if (isShown) announceChange(ctx, null)
}

async function askAnew({ db }: Ctx, entry: Entry): Promise<void> {
  const undecided = { state: 'offered', decidedAt: null, decidedBy: null, acceptedVersion: null } as const
  await changeEntry(db, entry, ['accepted'], undecided)
}

/** Whether there is a poster. */
async function copy(ctx: Ctx, entry: Entry, key: string, signal: AbortSignal): Promise<boolean> {
  const film = filmOf(entry)
  if (film === null) throw new Error('the print has no film any more')
  const folder = await mkdtemp(join(tmpdir(), 'vigil-gallery-'))
  try {
    const [whole, bare] = [join(folder, 'whole.mp4'), join(folder, 'bare.mp4')]
    await pipeline(await opened(ctx, film), createWriteStream(whole))
    await bareFilm(ctx, { film: whole, to: bare }, { signal })
    await ctx.files.put(copyAt(key, 'video.mp4'), createReadStream(bare))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const { predictionJson, poster } = entry
  const scores = predictionJson
    ? flatScores(JSON.parse(await wholeText(await opened(ctx, predictionJson))))
    : []
  await ctx.files.put(copyAt(key, 'p.json'), Buffer.from(JSON.stringify(scores)))
  if (poster === null) return false
  const bytes = await ctx.files.get(poster)
  if (bytes === null) return false
  await ctx.files.put(copyAt(key, 'poster.jpg'), (await cleanPicture(await buffer(bytes))).bytes)
  return true
}

async function opened(ctx: Ctx, ref: MediaRef) {
  const bytes = await ctx.files.get(ref)
  if (bytes === null) throw new Error('a file of the print is gone')
  return bytes
}

/** Removes the copies under a key, unless they are shown. */
export async function removeCopies(ctx: Ctx, key: string): Promise<void> {
  if ((await knownKeys(ctx.db, [key])).has(key)) return
  await ctx.files.removeAll('tsd-timelapses', folderOf(key))
}

/** Removes copies whose print or owner is gone, and what a killed server left. */
export async function removeStrayCopies(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const found = new Set<string>()
  for await (const path of ctx.files.list('tsd-timelapses', ROOT)) {
    const key = keyOf(path)
    if (key !== undefined) found.add(key)
  }
  const known = await knownKeys(ctx.db, [...found])
  for (const key of found) {
    if (signal.aborted) return
    if (!known.has(key) && !(await isBeingMade(ctx, key))) await removeCopies(ctx, key)
  }
}

/** Copies of today may be those that are made just now. */
async function isBeingMade(ctx: Ctx, key: string): Promise<boolean> {
  const film = await ctx.files.stat(copyAt(key, 'video.mp4'))
  return film !== null && film.modifiedAt.getTime() > ctx.clock.now() - DAY_MS
}

/**
 * A word for what of an entry becomes public, as it is now: name, film, poster, scores. Films are made anew in their places (a camera
 * was turned), and owners name themselves anew, so a decision says which it is of.
 */
export async function versionOf({ files }: Pick<Ctx, 'files'>, entry: Entry): Promise<string> {
  const places = [filmOf(entry), entry.poster, entry.predictionJson]
  const stats = await Promise.all(places.map(async (place) => place && (await files.stat(place))))
  const seen = stats.map((stat) => stat && [stat.numBytes, stat.modifiedAt.getTime()])
  const whole = JSON.stringify([entry.creatorName, entry.consentedAt, seen])
  return createHash('sha256').update(whole).digest('base64url').slice(0, 22)
}
