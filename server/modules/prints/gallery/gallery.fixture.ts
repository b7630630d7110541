import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { MediaRef } from '../../../engines/files/port.ts'
import { aUser, type TestApp, type TestUser } from '../../../test/app.ts'

/** What must never be seen by a stranger. */
export const SECRETS = ['Kellerdrucker', 'geheimes_teil', 'owner-secret', 'Berlin', 'app.printerprediction']

/** A film that tells too much: title, place, sound; as an uploaded one may. */
export async function aTalkativeFilm(seconds = 2): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-talkative-'))
  try {
    const to = join(folder, 'film.mp4')
    const pictures = ['-f', 'lavfi', '-i', `testsrc2=size=320x240:rate=8:duration=${seconds}`]
    const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
    const told = {
      title: 'geheimes_teil.gcode',
      comment: 'owner-secret',
      location: 'Berlin',
      artist: 'Kellerdrucker',
    }
    const metadata = Object.entries(told).flatMap(([name, value]) => ['-metadata', `${name}=${value}`])
    const stream = ['-metadata:s:v:0', 'title=geheimes_teil', '-metadata:s:v:0', 'handler_name=Kellerdrucker']
    const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', 'use_metadata_tags']
    execFileSync('ffmpeg', [
      '-loglevel',
      'error',
      ...pictures,
      ...sound,
      ...coding,
      ...metadata,
      ...stream,
      to,
    ])
    return await readFile(to)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** An ended print with film, poster and scores, whose paths and contents name what is secret. */
export async function aFilmedPrint(
  app: TestApp,
  { id: userId }: TestUser,
  film: Buffer,
  more: Record<string, unknown> = {},
): Promise<number> {
  const { db, files } = app.ctx
  const { id: printerId } = await db
    .insertInto('printers')
    .values({ userId, name: 'Kellerdrucker', authToken: crypto.randomUUID() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const at = (container: MediaRef['container'], path: string): MediaRef => ({ container, path })
  const { id } = await db
    .insertInto('prints')
    .values({ userId, printerId, filename: 'geheimes_teil.gcode', finishedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const refs = {
    taggedVideo: at('tsd-timelapses', `private/${printerId}/${id}/geheimes_teil_tagged.mp4`),
    predictionJson: at('tsd-timelapses', `private/${printerId}/${id}/geheimes_teil_p.json`),
    poster: at('tsd-pics', `private/${printerId}/${id}/geheimes_teil.jpg`),
  }
  const prediction = (normalized_p: number) => [
    { model: 'app.printerprediction', pk: printerId, fields: { normalized_p, ewm_mean: 0.1 } },
  ]
  const poster = await sharp({ create: { width: 320, height: 240, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Artist: 'Kellerdrucker', ImageDescription: 'geheimes_teil' } })
    .jpeg()
    .toBuffer()
  await files.put(refs.taggedVideo, film)
  await files.put(
    refs.predictionJson,
    Buffer.from(JSON.stringify([prediction(0.1), {}, prediction(0.8234567)])),
  )
  await files.put(refs.poster, poster)
  await db
    .updateTable('prints')
    .set({
      taggedVideo: JSON.stringify(refs.taggedVideo),
      predictionJson: JSON.stringify(refs.predictionJson),
      poster: JSON.stringify(refs.poster),
      ...more,
    })
    .where('id', '=', id)
    .execute()
  return id
}

/** An administrator, signed in. */
export async function anAdmin(app: TestApp): Promise<TestUser> {
  const admin = await aUser(app)
  await app.ctx.db.updateTable('users').set({ isStaff: true }).where('id', '=', admin.id).execute()
  return admin
}
