/** What the event of an alarm shows. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'
import { findRunning, PARTS, type RunningRow } from './alarms.queries.ts'
import { raiseAlarms } from './carry.service.ts'

let app: TestApp
let owner: TestUser
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())

async function aRunningPrint() {
  const { db } = app.ctx
  const { id: printerId } = await aPrinter(app, owner)
  const { id: printId } = await db
    .insertInto('prints')
    .values(asId({ userId: owner.id, printerId, filename: 'cube.gcode', startedAt: new Date() }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('printers')
    .set({ currentPrintId: printId })
    .where('id', '=', asId(printerId))
    .execute()
  return { printerId, printId }
}

test.each([
  ['a frame of its print', (printer: number, print: number) => `raw/${printer}/${print}/1.jpg`, true],
  [
    'none of the print before',
    (printer: number, print: number) => `raw/${printer}/${print - 1}/1.jpg`,
    false,
  ],
  [
    'none that the next one replaces',
    (printer: number) => `snapshots/${printer}/latest_unrotated.jpg`,
    false,
  ],
])('%s: pictures of events last', async (_, pathOf, isShown) => {
  const { printerId, printId } = await aRunningPrint()
  const parts = Array.from({ length: PARTS }, (__, part) => part)
  const rows: RunningRow[] = []
  for await (const some of findRunning(app.ctx.db, parts)) rows.push(...some)
  const row = rows.find(({ id }) => id === printerId)!
  const raw = { container: 'tsd-pics', path: pathOf(printerId, printId) } as const
  const picture = { raw, tagged: null, at: app.ctx.clock.now(), checkedAt: null, blind: 'picture_dark' }
  const presence = { agent: null, status: null, statusText: () => 'null', picture }
  await raiseAlarms(app.ctx, [{ row, presence, code: 'picture_dark' }], async () => undefined)
  const { image } = await app.ctx.db
    .selectFrom('printerEvents')
    .select('image')
    .where('printerId', '=', asId(printerId))
    .where('code', '=', 'not_watching')
    .executeTakeFirstOrThrow()
  expect(image).toEqual(isShown ? raw : null)
})
