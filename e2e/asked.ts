import sharp from 'sharp'
import type { Db } from '../server/engines/db/port.ts'
import type { Files } from '../server/engines/files/port.ts'
import { aFilm, inside } from './filmed.ts'
import type { Vigil } from './vigil.ts'
import { asId } from '../server/test/ids.ts'

interface Asked {
  /** Pictures of it that its owner is asked about. */
  readonly shots: number
  /** Pictures of its first layer. */
  readonly layers?: number
}

/** What an owner is asked about an ended print: pictures of it, pictures and the film of its first layer. */
export async function askAbout(vigil: Vigil, printId: number, { shots, layers = 0 }: Asked): Promise<void> {
  await inside(vigil, async (db, files) => {
    for (let at = 0; at < shots; at++) {
      const takenAt = new Date(Date.now() + at * 120_000)
      const image = await picture(files, `${printId}/shot`, at)
      await db.insertInto('printShotFeedbacks').values(asId({ printId, image, takenAt })).execute()
    }
    if (layers > 0) await askAboutLayer(db, files, { printId, layers })
  })
}

async function askAboutLayer(
  db: Db,
  files: Files,
  { printId, layers }: { printId: number; layers: number },
): Promise<void> {
  const video = { container: 'tsd-timelapses', path: `e2e/${printId}/layer.mp4` } as const
  await files.put(video, (await aFilm(2)).film)
  const { id: inspectionId } = await db
    .insertInto('firstLayerInspections')
    .values(asId({ printId, judgedAt: new Date(), score: 52, video: JSON.stringify(video) }))
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let at = 0; at < layers; at++)
    await db
      .insertInto('firstLayerImages')
      .values({
        inspectionId,
        hash: String(at),
        picture: await picture(files, `${printId}/layer`, at),
        takenAt: new Date(Date.now() + at * 1000),
        sight: JSON.stringify({ labels: ['gaps'] }),
      })
      .execute()
}

const COLOURS = ['#205080', '#804020', '#208050', '#805080']

async function picture(files: Files, name: string, at: number): Promise<string> {
  const ref = { container: 'tsd-pics', path: `e2e/${name}${at}.jpg` } as const
  const create = { width: 320, height: 240, channels: 3, background: COLOURS[at % COLOURS.length]! } as const
  await files.put(ref, await sharp({ create }).jpeg().toBuffer())
  return JSON.stringify(ref)
}
