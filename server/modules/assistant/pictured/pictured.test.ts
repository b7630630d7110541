import { afterAll, beforeAll, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp } from '../../../test/app.ts'
import { aFilmedPrint } from '../../prints/timelapse/timelapse.fixture.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

it('names the prints of the caller alone that have pictures, the newest first', async () => {
  const [owner, stranger] = [await aUser(app), await aUser(app)]
  const printer = await aPrinter(app, owner)
  const first = await aFilmedPrint(app, owner, { frames: 1, printer })
  const uploaded = await aFilmedPrint(app, owner, { frames: 1, printer: null, print: { filename: 'b.mp4' } })
  await aFilmedPrint(app, owner, { frames: 0, printer })
  await aFilmedPrint(app, owner, { frames: 1, printer, print: { deletedAt: new Date() } })
  const mine = await call(app, 'GET', '/jusprin/api/prints/', { cookie: owner.cookie })
  expect(mine.json).toMatchObject([
    { id: uploaded.printId, filename: 'b.mp4', printer_name: null },
    { id: first.printId, filename: 'vase.gcode', printer_name: expect.any(String) },
  ])
  expect((await call(app, 'GET', '/jusprin/api/prints/', { cookie: stranger.cookie })).json).toEqual([])
  expect((await call(app, 'GET', '/jusprin/api/prints/')).status).toBe(403)
})
