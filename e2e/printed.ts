import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../server/engines/db/port.ts'
import type { Files, MediaRef } from '../server/engines/files/port.ts'
import { inside } from './filmed.ts'
import type { Vigil } from './vigil.ts'
import { asId } from '../server/test/ids.ts'

/** A picture each minute. */
const EVERY_MS = 60_000
const FRAMES = 96
/** From here on it fails, and this is when it was told. */
const [FAILS_AT, ALERT_AT] = [56, 72]
const GAP = [30, 34] as const

/** 96 pictures of a scene that changes, the same as films, plain and with a box. */
export async function aScene() {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-scene-'))
  try {
    const run = (...args: string[]) => execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...args])
    const scene = `testsrc2=size=320x240:rate=8:duration=${FRAMES / 8}`
    const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart']
    const [plain, tagged] = [join(folder, 'plain.mp4'), join(folder, 'tagged.mp4')]
    run('-f', 'lavfi', '-i', scene, ...coding, plain)
    run('-i', plain, '-vf', 'drawbox=100:80:120:80:red:3', ...coding, tagged)
    run('-i', plain, '-qscale:v', '8', join(folder, '%03d.jpg'))
    const names = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).toSorted()
    return {
      plain: await readFile(plain),
      tagged: await readFile(tagged),
      pictures: await Promise.all(names.map((name) => readFile(join(folder, name)))),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
type Scene = Awaited<ReturnType<typeof aScene>>

const scoreAt = (frame: number) =>
  frame < FAILS_AT ? 0.08 + 0.04 * Math.sin(frame) : Math.min(0.9, 0.1 + (frame - FAILS_AT) * 0.024)

/** What the detector said of each frame; of some nothing. */
function predictions(printerId: number, startedAt: Date) {
  const created_at = startedAt.toISOString()
  return Array.from({ length: FRAMES }, (_, frame) => {
    if (frame >= GAP[0] && frame < GAP[1]) return {}
    const updated_at = new Date(startedAt.getTime() + frame * EVERY_MS).toISOString()
    const normalized_p = scoreAt(frame)
    return { model: 'app.printerprediction', pk: printerId, fields: { normalized_p, created_at, updated_at } }
  })
}

/** Temperatures of the same time, a point every 30 s. */
function temperatures(startedAt: Date): string {
  const lines = Array.from({ length: FRAMES * 2 }, (_, at) => {
    const warm = Math.min(1, at / 12)
    return JSON.stringify([
      Math.round(startedAt.getTime() / 1000) + at * 30,
      'extruder',
      Math.round((25 + 185 * warm + Math.sin(at)) * 10) / 10,
      210,
      'heater_bed',
      Math.round((25 + 35 * warm) * 10) / 10,
      60,
    ])
  })
  return lines.join('\n')
}

interface Printed {
  /** Columns of the print. */
  readonly values?: object
  readonly videos?: boolean
  readonly frames?: boolean
}

/** A print of an owner's printer, over for an hour, with all that is kept of it. Gives its id. */
export async function aPrintedOne(
  vigil: Vigil,
  printerId: number,
  scene: Scene,
  { values = {}, videos = true, frames = true }: Printed = {},
): Promise<number> {
  const finishedAt = new Date(Date.now() - 3_600_000)
  const startedAt = new Date(finishedAt.getTime() - FRAMES * EVERY_MS)
  const alertedAt = new Date(startedAt.getTime() + ALERT_AT * EVERY_MS)
  return await inside(vigil, async (db, files) => {
    const { userId } = await db
      .selectFrom('printers')
      .select('userId')
      .where('id', '=', asId(printerId))
      .executeTakeFirstOrThrow()
    const [filename, printTime] = ['vase_spiral.gcode', (FRAMES * EVERY_MS) / 1000]
    const print = { userId, printerId, filename, startedAt, finishedAt, alertedAt, printTime }
    const { id } = await db
      .insertInto('prints')
      .values(asId({ ...print, filamentUsed: 4_100, ...values }))
      .returning('id')
      .executeTakeFirstOrThrow()
    const place = { db, files, printerId, id, startedAt }
    if (videos) await keepFilms(place, scene)
    if (frames) await keepFrames(place, scene)
    const lines = temperatures(startedAt)
    await db.insertInto('printTemperatures').values({ printId: id, at: startedAt, lines }).execute()
    return id
  })
}

interface Place {
  readonly db: Db
  readonly files: Files
  readonly printerId: number
  readonly id: number
  readonly startedAt: Date
}

async function store({ files }: Place, ref: MediaRef, bytes: Buffer): Promise<string> {
  await files.put(ref, bytes)
  return JSON.stringify(ref)
}

async function keepFilms(place: Place, scene: Scene): Promise<void> {
  const { db, id, printerId, startedAt } = place
  const keep = (name: string, bytes: Buffer) =>
    store(place, { container: 'tsd-timelapses', path: `private/${id}${name}` }, bytes)
  const figures = Buffer.from(JSON.stringify(predictions(printerId, startedAt)))
  const films = {
    video: await keep('.mp4', scene.plain),
    taggedVideo: await keep('_tagged.mp4', scene.tagged),
    scoreCurve: Array.from({ length: FRAMES / 3 }, (_, at) =>
      at * 3 >= GAP[0] && at * 3 < GAP[1] ? null : Math.round(scoreAt(at * 3) * 100),
    ),
    predictionJson: await keep('_p.json', figures),
    poster: await keep('_poster.jpg', scene.pictures[0] ?? Buffer.alloc(0)),
  }
  await db.updateTable('prints').set(films).where('id', '=', asId(id)).execute()
}

async function keepFrames(place: Place, scene: Scene): Promise<void> {
  const { db, id: printId, printerId, startedAt } = place
  for (const [n, bytes] of scene.pictures.entries()) {
    const path = `raw/${printerId}/${printId}/${String(n).padStart(3, '0')}.jpg`
    const picture = await store(place, { container: 'tsd-pics', path }, bytes)
    const createdAt = new Date(startedAt.getTime() + n * EVERY_MS)
    const frame = { printerId, printId, picture, numBytes: bytes.length, width: 320, height: 240, createdAt }
    await db.insertInto('frames').values(asId(frame)).execute()
  }
}
