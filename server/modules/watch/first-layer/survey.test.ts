import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aUser, blindDetector, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import {
  aPrintingPrinter,
  layersOf,
  nozzlePicture,
  postDone,
  seesGreen,
  sendAll,
} from '../../../test/first-layer.ts'
import { eventually } from '../../../test/wire/agent.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
let printer: Awaited<ReturnType<typeof aPrintingPrinter>>

beforeAll(async () => {
  app = await buildTestApp({ detector: blindDetector({ detectLayer: seesGreen }) })
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  printer = await aPrintingPrinter(app, owner)
})

const judged = () => eventually(async () => (await layersOf(app, owner, `?print_id=${printer.printId}`))[0])
const several = (greens: readonly number[]) =>
  Promise.all(greens.map((green, i) => nozzlePicture(green, { mark: i * 3 })))

describe('people', () => {
  test('see their own, newest first, page by page', async () => {
    const ids: number[] = []
    for (const green of [200, 100]) {
      if (green === 100) printer = await aPrintingPrinter(app, owner)
      await sendAll(app, printer.token, await several([green]))
      await postDone(app, printer.token)
      ids.push((await judged()).id)
    }
    const all = (await layersOf(app, owner)).map(({ id }: { id: number }) => id)
    expect(all.slice(0, 2)).toEqual([ids[1], ids[0]])
    expect(await layersOf(app, owner, '?start=1&limit=1')).toMatchObject([{ id: ids[0] }])
    expect(await layersOf(app, stranger)).toEqual([])
    expect(await layersOf(app, stranger, `?print_id=${printer.printId}`)).toEqual([])
    expect(await layersOf(app, owner, '?print_id=2147483647')).toEqual([])
    const path = `/api/v1/first_layer_inspection_images/?print_id=${printer.printId}`
    const images = await call(app, 'GET', path, { token: owner.token })
    expect(images.json).toMatchObject([{ first_layer_inspection: ids[1] }])
    expect((await call(app, 'GET', path, { cookie: stranger.cookie })).json).toEqual([])
    const one = `/api/v1/first_layer_inspection_images/${images.json[0].id}/`
    expect((await call(app, 'GET', one, { cookie: owner.cookie })).json).toMatchObject({
      id: images.json[0].id,
      labels: 'gaps',
    })
    expect(
      (await call(app, 'GET', '/ent/api/first_layer_inspection/?limit=x', { cookie: owner.cookie })).status,
    ).toBe(400)
  })

  test('answer each picture, and the last answer earns three hours once', async () => {
    await sendAll(app, printer.token, await several([200, 100]))
    await postDone(app, printer.token)
    const { images } = await judged()
    const say = async (place: number, labels: unknown, who = owner) =>
      await call(app, 'PATCH', `/ent/api/first_layer_inspection_image/${images[place].id}/`, {
        cookie: who.cookie,
        body: { labels },
      })
    const hours = async () =>
      (
        await app.ctx.db
          .selectFrom('users')
          .select('dhBalance')
          .where('id', '=', owner.id)
          .executeTakeFirstOrThrow()
      ).dhBalance
    const before = await hours()
    for (const wrong of ['', 'fine', 'gaps|', 'gaps|<b>', 7, null, ['gaps']]) {
      const answer = await say(0, wrong)
      expect([wrong, answer.status, Object.keys(answer.json)]).toEqual([wrong, 400, ['labels']])
    }
    expect((await say(0, 'gaps', stranger)).status).toBe(404)
    expect((await say(0, 'gaps|other|gaps')).json).toMatchObject({
      labels: 'gaps|other',
      answer: 'gaps|other',
      answered_at: expect.any(String),
      credited_dhs: 0,
    })
    expect((await say(0, 'noIssues')).json.credited_dhs).toBe(0)
    expect(await hours()).toBe(before)
    expect((await say(1, 'noIssues')).json.credited_dhs).toBe(3)
    expect(await hours()).toBe(before + 3)
    await say(0, 'gaps')
    await say(1, 'gaps')
    expect(await hours()).toBe(before + 3)
  })
})
