import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EventMap } from '../../../lib/events.ts'
import type { PrintId, PrinterId } from '../../../lib/id.ts'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { governStorage } from './governor.service.ts'
import { weigh } from './retention.queries.ts'
import { frameFoldersOf, placesOf } from './retention.rules.ts'

const GB = 1024 ** 3
const DAY_MS = 86_400_000
let app: TestApp
let owner: TestUser
let printerId: PrinterId
const heard: EventMap['storage.freed'][] = []

beforeAll(async () => {
  app = await buildTestApp({ env: { STORAGE_PICTURES_GB: '3', STORAGE_KEEP_FREE_MB: '2048' } })
  owner = await aUser(app)
  printerId = (await aPrinter(app, owner)).id
  app.ctx.events.on('storage.freed', (freed) => heard.push(freed))
})
afterAll(() => app.close())
beforeEach(async () => {
  heard.length = 0
  await app.ctx.db.deleteFrom('prints').execute()
})

const pictureOf = (printId: PrintId) =>
  ({ container: 'tsd-pics', path: `${frameFoldersOf(printerId, printId)[0]}/1.jpg` }) as const

interface Told {
  readonly daysAgo: number
  readonly pictures?: number
  readonly film?: number
  readonly kept?: boolean
  readonly state?: 'ready' | 'working'
}

/** A print that ended so long ago; what it weighs is what its row says. */
async function aPrint({
  daysAgo,
  pictures = 0,
  film = 0,
  kept = false,
  state = 'ready',
}: Told): Promise<PrintId> {
  const endedAt = new Date(app.ctx.clock.now() - daysAgo * DAY_MS)
  const video = film > 0
  const { id } = await app.ctx.db
    .insertInto('prints')
    .values({ userId: owner.id, printerId, filename: 'x', startedAt: endedAt, finishedAt: endedAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  const weighs = { frameBytes: pictures * GB, fileBytes: film * GB }
  await app.ctx.db
    .insertInto('timelapses')
    .values({ printId: id, endedAt, state, kept, ...weighs })
    .execute()
  if (pictures > 0) await app.ctx.files.put(pictureOf(id), Buffer.from('a picture'))
  if (video) await app.ctx.files.put(placesOf(id).plain, Buffer.from('a film'))
  return id
}
const hasPictures = async (id: PrintId) => (await app.ctx.files.stat(pictureOf(id))) !== null
const hasFilm = async (id: PrintId) => (await app.ctx.files.stat(placesOf(id).plain)) !== null
/** A disk that has so much room, and what was removed since. */
async function aDisk(free: number) {
  const weight = async () => {
    const { frames, films } = await weigh(app.ctx.db)
    return frames + films
  }
  const before = await weight()
  return async () => free * GB + before - (await weight())
}
const govern = async (free: number) => governStorage(app.ctx, app.ctx.stopping, await aDisk(free))

test('above the limit of pictures the oldest prints lose theirs, and keep their films', async () => {
  const [old, older, young] = [
    await aPrint({ daysAgo: 20, pictures: 1, film: 1 }),
    await aPrint({ daysAgo: 30, pictures: 1, film: 1 }),
    await aPrint({ daysAgo: 1, pictures: 2 }),
  ]
  await govern(100)
  expect(await Promise.all([older, old, young].map(hasPictures))).toEqual([false, true, true])
  expect(await hasFilm(older)).toBe(true)
  expect(heard).toEqual([expect.objectContaining({ frames: 1, films: 0, bytes: GB, isScarce: false })])
  heard.length = 0
  await govern(100)
  expect(heard).toEqual([])
})

test('on a disk nearly full pictures go before films, and never what runs, is being made, is kept or is of this week', async () => {
  const [running, making, framed] = [
    await aPrint({ daysAgo: 50, pictures: 1, film: 1 }),
    await aPrint({ daysAgo: 40, pictures: 1, state: 'working' }),
    await aPrint({ daysAgo: 2, pictures: 0.5 }),
  ]
  const [old, kept, young] = [
    await aPrint({ daysAgo: 30, film: 1 }),
    await aPrint({ daysAgo: 60, film: 1, kept: true }),
    await aPrint({ daysAgo: 2, film: 1 }),
  ]
  await app.ctx.db
    .updateTable('printers')
    .set({ currentPrintId: running })
    .where('id', '=', printerId)
    .execute()
  await govern(1.9)
  expect(await Promise.all([running, making, framed].map(hasPictures))).toEqual([true, true, false])
  expect(await hasFilm(old)).toBe(true)
  await govern(0.5)
  expect(await Promise.all([running, old, kept, young].map(hasFilm))).toEqual([true, false, true, true])
  expect(heard.at(-1)).toMatchObject({ films: 1, bytes: GB, isScarce: true })
})
