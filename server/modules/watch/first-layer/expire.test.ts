import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aUser, blindDetector, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { endForgotten, expireLayers } from './expire.service.ts'
import {
  aPrintingPrinter,
  layersOf,
  nozzlePicture,
  postDone,
  seesGreen,
  sendAll,
} from '../../../test/first-layer.ts'

const DAY_MS = 86_400_000
let app: TestApp
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrintingPrinter>>

beforeAll(async () => {
  app = await buildTestApp({ detector: blindDetector({ detectLayer: seesGreen }) })
  owner = await aUser(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  printer = await aPrintingPrinter(app, owner)
  await sendAll(app, printer.token, await Promise.all([230, 240].map((green) => nozzlePicture(green))))
})

const shown = async () => (await layersOf(app, owner, `?print_id=${printer.printId}`))[0]
const judged = async () => {
  await postDone(app, printer.token)
  return await eventually(shown)
}
const expire = () => expireLayers(app.ctx, new AbortController().signal)
const files = async () => {
  const found: string[] = []
  for await (const path of app.ctx.files.list('tsd-pics', `first_layer/${printer.id}`)) found.push(path)
  return found
}
const end = () =>
  app.ctx.db.updateTable('printers').set({ currentPrintId: null }).where('id', '=', printer.id).execute()

test('a layer whose end nobody told is judged when the camera is silent for half an hour', async () => {
  app.advance(29 * 60_000)
  await endForgotten(app.ctx)
  expect(await shown()).toBeUndefined()
  app.advance(2 * 60_000)
  await endForgotten(app.ctx)
  expect(await eventually(shown, 30_000)).toMatchObject({ grade: 'A', images: [{}, {}] })
})

test('pictures go after the days that frames are kept, the score stays; a running print keeps all', async () => {
  await judged()
  app.advance(31 * DAY_MS)
  await expire()
  expect(await files()).toHaveLength(3)
  await end()
  await expire()
  expect(await files()).toEqual([])
  expect(await shown()).toMatchObject({ grade: 'A', images: [], poster_url: null, data_json_url: null })
})

test("a deleted print's layer is hidden at once, and gone after the night", async () => {
  await judged()
  await end()
  await app.ctx.db
    .updateTable('prints')
    .set({ deletedAt: new Date() })
    .where('id', '=', printer.printId)
    .execute()
  expect(await shown()).toBeUndefined()
  await expire()
  expect(await files()).toEqual([])
  expect(
    await app.ctx.db
      .selectFrom('firstLayerInspections')
      .select('id')
      .where('printId', '=', printer.printId)
      .execute(),
  ).toEqual([])
})
