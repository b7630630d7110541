import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../../engines/db/postgres.ts'
import { aNode, aPrinter, aUser, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { greeted, postPicture, printing, shown } from '../../../test/faults/support.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/pg.ts'
import { eventually, type WireAgent } from '../../../test/wire/agent.ts'

const ENV = { VIGIL_SECRET: 'of both, before and after the restart', DETECTION_TIME_SCALE: '100' }
const KEY = 1_790_000_000
let database: TestDatabase
let app: TestApp
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
let other: typeof printer
let third: typeof printer
let agent: WireAgent

beforeAll(async () => {
  database = await cloneDatabase()
  app = await aNode(database.url, ENV)
  owner = await aUser(app)
  printer = await aPrinter(app, owner)
  other = await aPrinter(app, owner, 'Voron')
  third = await aPrinter(app, owner, 'Prusa')
})
afterAll(async () => {
  agent.ws.terminate()
  await app.close()
  await database.drop()
})

const titles = async () =>
  (
    (await call(app, 'GET', '/api/v1/printer_events/', { cookie: owner.cookie })).json as {
      event_title: string
      event_text: string
    }[]
  ).map(({ event_title: title, event_text: text }) => (title === 'No longer watching' ? text : title))

async function watched(): Promise<void> {
  agent = await greeted(app, printer.auth_token)
  agent.send(printing(KEY, 1))
  await shown(app, owner.cookie, printer.id, ({ current_print: print }) => print !== null, 60_000)
  expect((await postPicture(app, printer.auth_token)).status).toBe(200)
  await shown(app, owner.cookie, printer.id, ({ watch }) => watch.state === 'watching', 60_000)
}
/** So many rounds that an agent is not waited for any more: one that does not come back has 40 s. */
async function longEnough(): Promise<void> {
  app.advance(45_000)
  const before = await rounds(app.ctx.db)
  await eventually(async () => {
    const now = await rounds(app.ctx.db)
    return now.every(({ at }, part) => at > before[part]!.at) || undefined
  })
}
const rounds = (db: TestApp['ctx']['db']) => db.selectFrom('watchRounds').selectAll().execute()

test('a server that was away tells whose print nobody watched meanwhile; one that is back at once says nothing', async () => {
  await watched()
  await eventually(async () => ((await rounds(app.ctx.db)).length === 8 ? true : undefined))
  agent.ws.terminate()
  await app.close()
  app = await aNode(database.url, ENV)
  await watched()
  const before = await rounds(app.ctx.db)
  await eventually(async () => {
    const now = await rounds(app.ctx.db)
    return now.every(({ at }, part) => at > before[part]!.at) ? true : undefined
  })
  expect(await titles()).toEqual(['Print job started'])

  agent.ws.terminate()
  await app.close()
  const store = openDb(database.url, { log: app.ctx.log })
  await sql`update watch_rounds set at = at - interval '1 hour'`.execute(store.db)
  // Another stood still, as we had paused it, and its agent does not come back: of that one nothing was missed.
  const { id: stood } = await store.db
    .insertInto('prints')
    .values({
      userId: owner.id,
      printerId: other.id,
      filename: 'stood.gcode',
      startedAt: new Date(),
      pausedBy: 'vigil',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await store.db.updateTable('printers').set({ currentPrintId: stood }).where('id', '=', other.id).execute()
  // Of a third one its owner wants to hear nothing, and its agent is waited for.
  const { id: muted } = await store.db
    .insertInto('prints')
    .values({
      userId: owner.id,
      printerId: third.id,
      filename: 'muted.gcode',
      startedAt: new Date(),
      alertMutedAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await store.db
    .updateTable('printers')
    .set({ currentPrintId: muted, agentName: 'moonraker_obico' })
    .where('id', '=', third.id)
    .execute()
  await store.close()
  app = await aNode(database.url, ENV)
  await watched()
  await eventually(async () => ((await titles()).length > 1 ? true : undefined))
  expect((await titles())[0]).toBe('part.gcode on Ender is no longer watched: the server was not running.')
  const missed = await eventually(() =>
    app.ctx.db.selectFrom('unwatched').selectAll().where('code', '=', 'server_down').executeTakeFirst(),
  )
  expect(missed.until?.getTime()).toBeGreaterThan(missed.since.getTime())
  await longEnough()
  expect((await titles()).filter((text) => text.includes('stood.gcode'))).toEqual([])
  expect((await titles()).filter((text) => text.includes('muted.gcode'))).toEqual([])
})
