import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { framesOf, scoresOf, setKept } from '../timelapse/index.ts'
import { putPicture, readPicture } from '../../core/presence/index.ts'
import { makeTimelapse } from '../timelapse/make.service.ts'
import { archiveOld, expireFrames, removeDeleted } from './retention.service.ts'
import { aFilmedPrint } from '../timelapse/timelapse.fixture.ts'
import { asId } from '../../../test/ids.ts'

const DAY_MS = 86_400_000
let app: TestApp
let owner: TestUser

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())

const get = async (path: string) => (await call(app, 'GET', path, { token: owner.token })).json
const printOf = (printId: number, query = '') => get(`/api/v1/prints/${printId}/${query}`)
const timelapse = (printId: number) => get(`/api/v1/prints/${printId}/timelapse/`)
const pathsOf = async (container: 'tsd-pics' | 'tsd-timelapses', folder: string, printId: number) => {
  const found: string[] = []
  for await (const path of app.ctx.files.list(container, folder))
    if (new RegExp(`(^|/)${printId}[/._]`).test(path)) found.push(path)
  return found.sort()
}

async function aFinishedOne() {
  const made = await aFilmedPrint(app, owner, {
    frames: 12,
    everyMs: 130_000,
    look: (place) => ({ p: place / 12 }),
    tagged: (place) => place > 9,
  })
  await makeTimelapse(app.ctx, made.printId, app.ctx.stopping)
  expect(await timelapse(made.printId)).toMatchObject({ state: 'ready' })
  return made
}
const scores = async (printId: number) => {
  const found = []
  for await (const { score, heat, at } of scoresOf(app.ctx, asId(printId))) found.push({ score, heat, at })
  return found
}

test('frames go after their time, but for those that an event shows; their scores stay for a replay', async () => {
  const { printId, printer } = await aFinishedOne()
  const frames = await framesOf(app.ctx.db, printId)
  expect(frames).toHaveLength(12)
  const before = await scores(printId)
  expect(before).toHaveLength(12)
  await app.ctx.db
    .insertInto('printerEvents')
    .values({
      userId: owner.id,
      printerId: printer!.id,
      printId,
      eventType: 'ALERT',
      eventClass: 'ERROR',
      image: JSON.stringify(frames[10]!.tagged),
    })
    .execute()
  await expireFrames(app.ctx, app.ctx.stopping)
  expect(await framesOf(app.ctx.db, printId)).toHaveLength(12)
  expect((await timelapse(printId)).frames_until).toMatch(/Z$/)

  app.advance(31 * DAY_MS)
  await expireFrames(app.ctx, app.ctx.stopping)
  expect(await framesOf(app.ctx.db, printId)).toEqual([])
  expect(await pathsOf('tsd-pics', 'raw', printId)).toEqual([])
  expect(await pathsOf('tsd-pics', 'tagged', printId)).toEqual([frames[10]!.tagged!.path])
  expect(await scores(printId)).toEqual(before)
  expect(before[3]).toEqual({
    score: 0.25,
    heat: { width: 2, height: 1, values: 'AP8=', grid: 'AP8=' },
    at: frames[3]!.at,
  })
  expect(await timelapse(printId)).toMatchObject({ state: 'ready', frames_until: null })
  expect((await get(`/api/v1/prints/${printId}/frames/`)).frames).toEqual([])
  expect((await printOf(printId)).video_url).not.toBeNull()
})

test('after six months videos and figures go and the poster stays, but for those that are kept on request', async () => {
  const [old, kept] = [await aFinishedOne(), await aFinishedOne()]
  expect(await setKept(app.ctx.db, kept.printId, true)).toBe(true)
  expect(await setKept(app.ctx.db, asId(999_999), true)).toBe(false)
  expect((await timelapse(kept.printId)).videos_until).toBeNull()
  const until = Date.parse((await timelapse(old.printId)).videos_until)
  expect((until - app.ctx.clock.now()) / DAY_MS).toBeGreaterThan(179)
  app.advance(179 * DAY_MS)
  await archiveOld(app.ctx, app.ctx.stopping)
  expect((await printOf(old.printId)).video_archived_at).toBeNull()
  app.advance(7 * DAY_MS)
  await archiveOld(app.ctx, app.ctx.stopping)
  expect(await printOf(old.printId)).toMatchObject({
    video_url: null,
    tagged_video_url: null,
    poster_url: expect.any(String),
    video_archived_at: expect.any(String),
    need_alert_overwrite: false,
  })
  expect(await get(`/api/v1/prints/${old.printId}/prediction_json/`)).toEqual([])
  expect(await timelapse(old.printId)).toMatchObject({ state: 'archived', videos_until: null })
  expect(await pathsOf('tsd-timelapses', 'private', old.printId)).toEqual([
    `private/${old.printId}_poster.jpg`,
    `private/${old.printId}_scores.jsonl.gz`,
  ])
  expect(await printOf(kept.printId)).toMatchObject({
    video_url: expect.any(String),
    video_archived_at: null,
  })
  expect(await scores(old.printId)).toHaveLength(12)
})

test('a deleted print leaves no file; its row stays deleted, whatever a worker still writes', async () => {
  const { printId, printer } = await aFinishedOne()
  const other = await aFinishedOne()
  expect((await pathsOf('tsd-pics', 'ff_printshots', printId)).length).toBeGreaterThan(3)
  const still = { container: 'tsd-pics', path: `snapshots/${printer!.id}/${printId}.jpg` } as const
  await app.ctx.files.put(still, Buffer.from('a picture'))
  await app.ctx.db
    .insertInto('printerEvents')
    .values({
      userId: owner.id,
      printerId: printer!.id,
      printId,
      eventType: 'STARTED',
      eventClass: 'INFO',
      image: JSON.stringify(still),
    })
    .execute()
  const shown = async () => {
    const feed = (await get('/api/v1/printer_events/')) as { print: number; image_url: string | null }[]
    return feed.filter(({ print }) => print === printId).map(({ image_url: url }) => url)
  }
  expect(await shown()).toEqual([expect.any(String)])
  const gone = await call(app, 'DELETE', `/api/v1/prints/${printId}/`, { token: owner.token })
  expect(gone.status).toBe(204)
  await removeDeleted(app.ctx, app.ctx.stopping)
  for (const folder of ['raw', 'tagged', 'ff_printshots', 'snapshots'])
    expect(await pathsOf('tsd-pics', folder, printId)).toEqual([])
  expect(await shown(), 'the feed shows no broken picture').toEqual([null])
  expect(await pathsOf('tsd-timelapses', 'private', printId)).toEqual([])
  expect(await printOf(printId, '?with_deleted=1')).toMatchObject({
    id: printId,
    video_url: null,
    tagged_video_url: null,
    poster_url: null,
    printer: { id: printer!.id },
  })
  expect(
    (await call(app, 'GET', `/api/v1/prints/${printId}/timelapse/`, { token: owner.token })).status,
  ).toBe(404)
  // A job that comes late finds nothing to be done.
  await makeTimelapse(app.ctx, printId, app.ctx.stopping)
  expect(await pathsOf('tsd-timelapses', 'private', printId)).toEqual([])
  expect((await printOf(other.printId)).video_url).not.toBeNull()
  expect(await framesOf(app.ctx.db, other.printId)).toHaveLength(12)
})

const removals: [string, number, (printId: number) => Promise<unknown>][] = [
  [
    'is deleted',
    130_000,
    async (printId) => {
      await call(app, 'DELETE', `/api/v1/prints/${printId}/`, { token: owner.token })
      await removeDeleted(app.ctx, app.ctx.stopping)
    },
  ],
  ['was too short to be kept', 10_000, (printId) => makeTimelapse(app.ctx, asId(printId), app.ctx.stopping)],
]

test.each(removals)(
  'the still of a printer stays on its page when its print %s',
  async (_why, everyMs, remove) => {
    const { printId, printer } = await aFilmedPrint(app, owner, {
      frames: 12,
      everyMs,
      look: () => ({ p: 0.2 }),
    })
    const last = (await framesOf(app.ctx.db, printId)).at(-1)!
    const raw = last.picture as { container: 'tsd-pics'; path: string }
    const at = app.ctx.clock.now()
    const record = { raw, tagged: null, at, checkedAt: at, blind: 'picture_dark' }
    await putPicture(app.ctx, asId(printer!.id), record)
    const still = async () => {
      const { pic } = (await get(`/api/v1/printers/${printer!.id}/`)) as { pic: { img_url: string } }
      const { pathname, search } = new URL(pic.img_url, app.url)
      const answer = await fetch(`${app.url}${pathname}${search}`)
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()).toString('base64') }
    }
    const before = await still()
    expect(before.status).toBe(200)
    await remove(printId)
    expect(await pathsOf('tsd-pics', 'raw', printId)).toEqual([])
    expect(await still()).toEqual(before)
    expect(await readPicture(app.ctx, asId(printer!.id))).toMatchObject({ at, blind: 'picture_dark' })
  },
)

/** As `ctx`, but its files break off at the n-th removal, as a server does that is killed there. */
const breakingAt = (n: number) => {
  const { files } = app.ctx
  let left = n
  const remove = (ref: MediaRef) =>
    left-- > 0 ? files.remove(ref) : Promise.reject(new Error('killed here'))
  return { ...app.ctx, files: { ...files, remove } }
}

test('a removal that breaks off is begun again, wherever it was', async () => {
  const [deleted, old] = [await aFinishedOne(), await aFinishedOne()]
  await call(app, 'DELETE', `/api/v1/prints/${deleted.printId}/`, { token: owner.token })
  for (const at of [0, 2]) {
    await expect(removeDeleted(breakingAt(at), app.ctx.stopping)).rejects.toThrow('killed here')
    expect((await pathsOf('tsd-pics', 'raw', deleted.printId)).length).toBeGreaterThan(0)
  }
  await removeDeleted(app.ctx, app.ctx.stopping)
  expect(await pathsOf('tsd-pics', 'raw', deleted.printId)).toEqual([])
  expect(await pathsOf('tsd-timelapses', 'private', deleted.printId)).toEqual([])

  await app.ctx.db.updateTable('timelapses').set({ kept: true }).where('printId', '!=', old.printId).execute()
  app.advance(190 * DAY_MS)
  await expect(archiveOld(breakingAt(1), app.ctx.stopping)).rejects.toThrow('killed here')
  expect((await printOf(old.printId)).video_url).toBeNull()
  await archiveOld(app.ctx, app.ctx.stopping)
  expect(await pathsOf('tsd-timelapses', 'private', old.printId)).toEqual([
    `private/${old.printId}_poster.jpg`,
    `private/${old.printId}_scores.jsonl.gz`,
  ])
})

test('whose brand is not sold any more has the time of the first one', async () => {
  const users = app.ctx.db.updateTable('users').where('id', '=', owner.id)
  const { printId } = await aFinishedOne()
  await users.set({ brand: 'gone' }).execute()
  app.advance(186 * DAY_MS)
  await archiveOld(app.ctx, app.ctx.stopping)
  expect((await printOf(printId)).video_archived_at).not.toBeNull()
  await users.set({ brand: app.ctx.config.brands[0].name }).execute()
})
