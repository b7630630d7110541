/** What the event of an alarm shows, and what happens to alarms that another transaction is in the way of. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'
import { allStatements } from '../../../test/queries.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { findRunning, PARTS, type RunningRow } from './alarms.queries.ts'
import { carryOut, raiseAlarms } from './carry.service.ts'

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

/** The print of a printer, as a round finds it. */
async function runningRow(printerId: number): Promise<RunningRow> {
  const parts = Array.from({ length: PARTS }, (__, part) => part)
  for await (const some of findRunning(app.ctx.db, parts))
    for (const row of some) if (row.id === printerId) return row
  throw new Error('nothing runs there')
}

test('alarms that another transaction is in the way of are written together all the same', async () => {
  const { db } = app.ctx
  const prints = [await aRunningPrint(), await aRunningPrint()]
  const [first, second] = prints.map(({ printerId }) => asId(printerId))
  const presence = { agent: null, status: null, statusText: () => 'null', picture: null }
  const doings = await Promise.all(
    prints.map(async ({ printerId }) => {
      const act = { do: 'raise', code: 'no_picture' } as const
      return { row: await runningRow(printerId), presence, act }
    }),
  )
  const other = new pg.Client({ connectionString: app.databaseUrl })
  await other.connect()
  await other.query('begin')
  await other.query('update printers set name = $1 where id = $2', ['B', second])
  const said = await allStatements(async () => {
    // holds the first one and waits for the second: whoever waits first is asked to try again
    const written = carryOut(app.ctx, doings)
    const waiting = sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() and query like '%for share of p'`
    await eventually(async () => (await waiting.execute(db)).rows[0])
    await other.query('update printers set name = $1 where id = $2', ['A', first])
    await other.query('commit')
    await written
  })
  await other.end()
  expect(said.filter((one) => /insert into watch_alarms/.test(one))).toHaveLength(1)
  expect(said.filter((one) => /^\s*select p\.id as printer_id/.test(one))).toHaveLength(2)
  const raised = await sql`select from watch_alarms where printer_id in (${first}, ${second})`.execute(db)
  expect(raised.rows).toHaveLength(2)
})

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
  const row = await runningRow(printerId)
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
