import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../server/engines/db/port.ts'
import { openDb } from '../server/engines/db/postgres.ts'
import { openFolderFiles } from '../server/engines/files/folder.ts'
import type { Files, MediaRef } from '../server/engines/files/port.ts'
import type { Vigil } from './vigil.ts'
import { asId } from '../server/test/ids.ts'

const silent = () => undefined
const log = { info: silent, warn: silent, error: silent }

/** Works in the database and the files of a running server, beside it. */
export async function inside<T>(
  { dataFolder, databaseUrl }: Vigil,
  work: (db: Db, files: Files) => Promise<T>,
): Promise<T> {
  const { db, close } = openDb(databaseUrl, { log })
  const files = await openFolderFiles(join(dataFolder, 'files'))
  try {
    return await work(db, files)
  } finally {
    await files.close()
    await close()
  }
}

/** A film of a few seconds with its first picture. */
export async function aFilm(seconds = 4): Promise<{ film: Buffer; picture: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-film-'))
  try {
    const [film, picture] = [join(folder, 'film.mp4'), join(folder, 'picture.jpg')]
    const scene = `mandelbrot=size=640x400:rate=8:end_scale=0.01:start_scale=1,trim=duration=${seconds}`
    const run = (...args: string[]) => execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...args])
    run('-f', 'lavfi', '-i', scene, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart', film)
    run('-i', film, '-frames:v', '1', picture)
    return { film: await readFile(film), picture: await readFile(picture) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Ended prints of an owner, each with film, poster and scores that rise to `peak`; returns their ids. */
export async function filmedPrints(
  vigil: Vigil,
  printerId: number,
  count: number,
  { film, picture }: { film: Buffer; picture: Buffer },
  peak = 0.9,
): Promise<number[]> {
  const frames = 32
  const scores = Array.from({ length: frames }, (_, at) => [
    { model: 'app.printerprediction', pk: printerId, fields: { normalized_p: (peak * at) / (frames - 1) } },
  ])
  return await inside(vigil, async (db, files) => {
    const { userId } = await db
      .selectFrom('printers')
      .select('userId')
      .where('id', '=', asId(printerId))
      .executeTakeFirstOrThrow()
    const made: number[] = []
    for (let n = 0; n < count; n++) {
      const at = (name: string): MediaRef => ({
        container: 'tsd-timelapses',
        path: `e2e/${printerId}/${n}/${name}`,
      })
      await files.put(at('tagged.mp4'), film)
      await files.put(at('poster.jpg'), picture)
      await files.put(at('p.json'), Buffer.from(JSON.stringify(scores)))
      const finishedAt = new Date(Date.now() - n * 3_600_000)
      const { id } = await db
        .insertInto('prints')
        .values(
          asId({
            userId,
            printerId,
            filename: `secret_part_${n}.gcode`,
            startedAt: new Date(finishedAt.getTime() - 7_200_000),
            finishedAt,
            video: JSON.stringify(at('tagged.mp4')),
            taggedVideo: JSON.stringify(at('tagged.mp4')),
            poster: JSON.stringify(at('poster.jpg')),
            predictionJson: JSON.stringify(at('p.json')),
          }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      made.push(id)
    }
    return made
  })
}

/** Pictures in order, each another one, as a camera that sees something happen gives them. */
async function stills(count: number): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-stills-'))
  try {
    const scene = `mandelbrot=size=640x400:rate=2:end_scale=0.01:start_scale=1,trim=duration=${count / 2}`
    execFileSync('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', scene, join(folder, '%03d.jpg')])
    const names = Array.from({ length: count }, (_, at) => `${String(at + 1).padStart(3, '0')}.jpg`)
    return await Promise.all(names.map((name) => readFile(join(folder, name))))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const LOOKS = 120
const FAILS_FROM = 60
const CELLS = 16 * 12

/** A heat map with the middle of the picture as hot as the score says. */
function heatOf(score: number): string {
  const values = new Uint8Array(CELLS).fill(1)
  for (const y of [5, 6]) values.fill(Math.round(score * 255), y * 16 + 7, y * 16 + 9)
  return JSON.stringify({ width: 16, height: 12, values: Buffer.from(values).toString('base64') })
}

/** A print of twenty minutes that fails half-way, with its looks, the warning, and so many stored pictures. */
export async function aFailedPrint(vigil: Vigil, printerId: number, pictures: number): Promise<number> {
  const jpegs = await stills(pictures)
  const start = Date.now() - 3_600_000
  const at = (look: number) => new Date(start + look * 10_000)
  return await inside(vigil, async (db, files) => {
    const { userId } = await db
      .selectFrom('printers')
      .select('userId')
      .where('id', '=', asId(printerId))
      .executeTakeFirstOrThrow()
    const { id: printId } = await db
      .insertInto('prints')
      .values(asId({ userId, printerId, filename: 'vase.gcode', startedAt: at(0), finishedAt: at(LOOKS) }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('decisions')
      .values(
        asId(
          Array.from({ length: LOOKS }, (_, look) => {
            const score = look < FAILS_FROM ? 0.02 : 0.97
            const gauge = look < FAILS_FROM ? 0.05 : Math.min(0.95, 0.05 + (look - FAILS_FROM) * 0.06)
            return {
              printerId,
              printId,
              createdAt: at(look),
              model: 'recorded 1',
              score,
              heat: heatOf(score),
              state: JSON.stringify({ normalizedP: gauge }),
              decision: gauge > 0.4 ? 'warn' : 'none',
            }
          }),
        ),
      )
      .execute()
    for (const [n, jpeg] of jpegs.entries()) {
      const picture: MediaRef = { container: 'tsd-pics', path: `raw/${printerId}/${printId}/${n}.jpg` }
      await files.put(picture, jpeg)
      const createdAt = at(Math.floor((n * LOOKS) / pictures))
      const size = { numBytes: jpeg.length, width: 640, height: 400 }
      await db
        .insertInto('frames')
        .values(asId({ printerId, printId, createdAt, picture: JSON.stringify(picture), ...size }))
        .execute()
    }
    return printId
  })
}
