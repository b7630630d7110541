import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Container, MediaRef } from '../../../engines/files/port.ts'
import { missingFiles, strayFiles } from '../../../engines/metrics/index.ts'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { CLAIMS } from './claims.queries.ts'
import { sweepStored } from './sweep.service.ts'
import { asId } from '../../../test/ids.ts'

const DAY_MS = 86_400_000
let app: TestApp
let owner: TestUser

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())

const ref = (container: Container, path: string): MediaRef => ({ container, path })
const put = (place: MediaRef) => app.ctx.files.put(place, Buffer.from('bytes'))
const isThere = async (place: MediaRef) => (await app.ctx.files.stat(place)) !== null
const sweep = () => sweepStored(app.ctx, AbortSignal.timeout(60_000))
const missing = async () => (await missingFiles.get()).values[0]?.value
const removed = async () => (await strayFiles.get()).values.reduce((sum: number, { value }) => sum + value, 0)

async function aPrint(): Promise<number> {
  const { id } = await app.ctx.db
    .insertInto('prints')
    .values({ userId: owner.id, filename: 'cube.gcode' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('every column that names a stored file is one of the sweep, so that none of its files is taken for a stray', () => {
  const types = readFileSync(new URL('../../../engines/db/types.gen.ts', import.meta.url), 'utf8')
  const found = [...types.matchAll(/^ {2}(\w+): .*MediaRef/gm)].map(([, name]) => name)
  const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const known = new Set(CLAIMS.flatMap(({ named }) => named.map(({ column }) => column)))
  expect(found.length).toBeGreaterThan(15)
  expect(found.map((name) => snake(name!)).filter((name) => !known.has(name))).toEqual([])
})

test('a file that no row names goes after two days; what rows name, and what others look after, stays', async () => {
  const printId = await aPrint()
  const { id: printerId } = await aPrinter(app, owner)
  const kept = [
    ref('tsd-timelapses', `private/${printId}.mp4`),
    ref('tsd-timelapses', 'incoming/x/upload.json'),
    ref('tsd-gcodes', `${owner.id}/0123456789abcdef01234567`),
    ref('tsd-timelapses', `gcode_thumbnails/${owner.id}/0123456789abcdef01234567/1.png`),
    ref('tsd-pics', `raw/${printerId}/${printId}/1.jpg`),
  ]
  const strays = [
    ref('tsd-timelapses', `private/${printId}_tagged.mp4`),
    ref('tsd-timelapses', 'private/999999.mp4'),
    ref('tsd-gcodes', `${owner.id}/ffffffffffffffffffffffff`),
    ref('tsd-pics', `raw/${printerId}/${printId}/2.jpg`),
    ref('tsd-pics', 'snapshots/999999/latest_unrotated.jpg'),
    ref('tsd-pics', 'first_layer/5/999999/a.jpg'),
    ref('tsd-pics', 'nobody/knows.jpg'),
  ]
  for (const place of [...kept, ...strays]) await put(place)
  const [video, , content, thumbnail, picture] = kept
  await app.ctx.db
    .updateTable('prints')
    .set({ video: JSON.stringify(video) })
    .where('id', '=', asId(printId))
    .execute()
  await app.ctx.db
    .insertInto('gCodeFiles')
    .values({
      userId: owner.id,
      filename: 'a.gcode',
      safeFilename: 'a.gcode',
      content: JSON.stringify(content),
      thumbnails: JSON.stringify([thumbnail]),
    })
    .execute()
  await app.ctx.db
    .insertInto('printerEvents')
    .values(
      asId({
        userId: owner.id,
        printerId,
        printId,
        eventType: 'ENDED',
        eventClass: 'INFO',
        image: JSON.stringify(picture),
      }),
    )
    .execute()
  await sweep()
  for (const place of [...kept, ...strays])
    expect([place.path, await isThere(place)]).toEqual([place.path, true])
  const before = await removed()
  app.advance(3 * DAY_MS)
  await sweep()
  for (const place of kept) expect([place.path, await isThere(place)]).toEqual([place.path, true])
  for (const place of strays) expect([place.path, await isThere(place)]).toEqual([place.path, false])
  expect((await removed()) - before).toBe(strays.length)
})

test('rows whose file is gone are counted, and the rows stay', async () => {
  await sweep()
  const before = (await missing()) ?? 0
  const printId = await aPrint()
  const [video, poster] = ['.mp4', '_poster.jpg'].map((rest) =>
    ref('tsd-timelapses', `private/${printId}${rest}`),
  )
  await app.ctx.db
    .updateTable('prints')
    .set({ video: JSON.stringify(video), poster: JSON.stringify(poster) })
    .where('id', '=', asId(printId))
    .execute()
  await sweep()
  expect(await missing()).toBe(before + 2)
  await put(poster!)
  await sweep()
  expect(await missing()).toBe(before + 1)
  const print = await app.ctx.db
    .selectFrom('prints')
    .select('video')
    .where('id', '=', asId(printId))
    .executeTakeFirst()
  expect(print?.video).not.toBeNull()
})

test('a print that was long is one thing: that its pictures are most of all keeps none of them', async () => {
  const pictures = Array.from({ length: 150 }, (_, n) => ref('tsd-pics', `raw/1/999999/${n}.jpg`))
  for (const place of pictures) await put(place)
  app.advance(3 * DAY_MS)
  await sweep()
  for (const place of pictures) expect([place.path, await isThere(place)]).toEqual([place.path, false])
})

test('where more than a tenth would go, none does: that is the wrong database', async () => {
  const many = Array.from({ length: 101 }, (_, n) => ref('tsd-gcodes', `${owner.id}/${n}`))
  for (const place of many) await put(place)
  app.advance(3 * DAY_MS)
  await sweep()
  expect(await isThere(many[0]!)).toBe(true)
  for (const place of many) await app.ctx.files.remove(place)
})
