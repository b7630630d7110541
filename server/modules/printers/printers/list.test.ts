import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { countQueries } from '../../../test/queries.ts'
import { putAgent } from '../../core/presence/index.ts'
import { keys } from '../../core/presence/names.ts'
import { asId } from '../../../test/ids.ts'

const HOUR = 3_600_000
let app: TestApp
let owner: TestUser
let stranger: TestUser
let printer: { id: number; auth_token: string }
let other: { id: number }
let printId: number
let fileId: number

const textOf = async (path: string, who = owner) =>
  (await call(app, 'GET', path, { cookie: who.cookie })).text
const list = (who = owner, query = '') => textOf(`/api/v1/printers/${query}`, who)
const ids = (text: string) => (JSON.parse(text) as { id: number }[]).map(({ id }) => id)
const live = (name: 'status' | 'picture', value: object | null) =>
  app.ctx.live.put(keys[name](asId(printer.id)), value && JSON.stringify(value), 10 * HOUR)
const picture = (more: object = {}) => ({
  raw: { container: 'tsd-pics', path: `raw/${printer.id}.jpg` },
  tagged: null,
  at: app.ctx.clock.now(),
  checkedAt: app.ctx.clock.now(),
  blind: null,
  ...more,
})
const status = (more: object = {}) => ({
  _ts: 1_700_000_000.25,
  state: { text: 'Printing “ä”', flags: { printing: true } },
  progress: { printTime: 600, completion: 1e-7 },
  ...more,
})
const agent = (state: 'connected' | 'waiting') =>
  putAgent(
    app.ctx,
    asId(printer.id),
    {
      state,
      seenAt: 1_700_000_000_000,
      reportedAt: null,
      epoch: 1,
      needsRestart: false,
    },
    0,
  )

/** The list says of each printer what the printer itself says, to the letter. */
async function expectTrue(): Promise<string> {
  const said = await list()
  const singles = [printer, other].map(({ id }) => textOf(`/api/v1/printers/${id}/`))
  expect(said).toBe(`[${(await Promise.all(singles)).join()}]`)
  return said
}

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
  printer = await aPrinter(app, owner, 'Voron')
  other = await aPrinter(app, owner, 'Other')
  const { db } = app.ctx
  const file = { userId: owner.id, filename: 'a.gcode', safeFilename: 'a.gcode' }
  fileId = (await db.insertInto('gCodeFiles').values(file).returning('id').executeTakeFirstOrThrow()).id
  const print = {
    userId: owner.id,
    printerId: printer.id,
    extId: 1,
    filename: 'a.gcode',
    gCodeFileId: fileId,
  }
  printId = (
    await db
      .insertInto('prints')
      .values(asId({ ...print, startedAt: new Date() }))
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
})
afterAll(() => app.close())

const run = (statement: ReturnType<typeof sql>) => statement.execute(app.ctx.db)
const setPrinter = (values: ReturnType<typeof sql>) =>
  run(sql`update printers set ${values} where id = ${printer.id}`)
const setPrint = (values: ReturnType<typeof sql>) =>
  run(sql`update prints set ${values} where id = ${printId}`)
const setHours = (hours: number) => run(sql`update users set dh_balance = ${hours} where id = ${owner.id}`)

describe('the list', () => {
  it.each<[what: string, change: () => Promise<unknown>]>([
    ['a status', () => Promise.all([agent('connected'), live('status', status())])],
    ['a print', () => setPrinter(sql`current_print_id = ${printId}`)],
    ['a picture', () => live('picture', picture())],
    ['another status', () => live('status', status({ progress: { printTime: 700 } }))],
    ['another name', () => setPrinter(sql`name = 'New “ä”,"status":null,'`)],
    [
      'a score',
      () => run(sql`update printer_predictions set normalized_p = 0.25 where printer_id = ${printer.id}`),
    ],
    ['no hours left', () => setHours(-1)],
    ['hours again', () => setHours(10)],
    ['a print that is muted', () => setPrint(sql`alert_muted_at = now()`)],
    ['a print that is not any more', () => setPrint(sql`alert_muted_at = null`)],
    ['a film', () => setPrint(sql`video = '{"container":"tsd-timelapses","path":"1.mp4"}'`)],
    ['another file', () => run(sql`update g_code_files set filename = 'b.gcode' where id = ${fileId}`)],
    ['what its agent sent', () => setPrinter(sql`agent_settings = '{"webcams":[{"rotation":90}]}'`)],
    ['zones', () => setPrinter(sql`ignore_zones = '[[{"x":0,"y":0},{"x":1,"y":0},{"x":1,"y":0.5}]]'`)],
    ['a picture that is old', async () => app.advance(40_000)],
    ['an agent that does not respond', () => app.ctx.live.put(keys.heard(asId(printer.id)), null, 0)],
    ['an agent that is gone', () => app.ctx.live.put(keys.agent(asId(printer.id)), null, 0)],
    ['new addresses of pictures', async () => app.advance(7 * HOUR)],
    ['no picture', () => live('picture', null)],
    ['new addresses of films', async () => app.advance(25 * HOUR)],
    ['the end of the print', () => setPrinter(sql`current_print_id = null`)],
  ])('tells at once of %s, as the printer itself does', async (_, change) => {
    const before = await expectTrue()
    await change()
    expect(await expectTrue()).not.toBe(before)
  })

  it('shows the boxes of an alert that are drawn after it', async () => {
    const { db } = app.ctx
    const ref = (name: string) => ({ container: 'tsd-pics', path: `${name}/1.jpg` }) as const
    const at = new Date()
    const look = { printerId: printer.id, printId, createdAt: at }
    await setPrinter(sql`current_print_id = ${printId}`)
    await setPrint(sql`alerted_at = ${at}`)
    await expectTrue()
    const picture = JSON.stringify(ref('raw'))
    const { id: frameId } = await db
      .insertInto('frames')
      .values(asId({ ...look, picture, numBytes: 1, width: 1, height: 1 }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('decisions')
      .values(asId({ ...look, frameId, state: '{}', decision: 'warn' }))
      .execute()
    expect(await expectTrue()).toContain('/raw/1.jpg')
    await db
      .updateTable('frames')
      .set({ tagged: JSON.stringify(ref('tagged')) })
      .where('id', '=', frameId)
      .execute()
    expect(await expectTrue()).toContain('/tagged/1.jpg')
    await setPrint(sql`alert_acknowledged_at = now() + interval '1 year'`)
    expect(await expectTrue()).not.toContain('/raw/1.jpg')
  })

  it('asks the database one thing while no row changes, whatever the agents say', async () => {
    await agent('connected')
    await list()
    const queries = await countQueries(app, async () => {
      for (const printTime of [1, 2, 3]) {
        await live('status', status({ progress: { printTime } }))
        expect(await list()).toContain(`"printTime":${printTime}}`)
      }
    })
    // Compared whole, so that a fourth one is told by its words.
    expect(queries).toEqual([queries[0], queries[0], queries[0]])
  })

  it('never has what is not one’s own, or is no more', async () => {
    const mine = await list()
    expect(await list(stranger)).toBe('[]')
    await setPrinter(sql`user_id = ${stranger.id}`)
    expect(ids(await list())).toEqual([other.id])
    expect(ids(await list(stranger))).toEqual([printer.id])
    await setPrinter(sql`user_id = ${owner.id}`)
    expect(await list(stranger)).toBe('[]')
    expect(ids(await list())).toEqual(ids(mine))

    await run(sql`update printers set archived_at = now() where id = ${other.id}`)
    expect(ids(await list())).toEqual([printer.id])
    expect(ids(await list(owner, '?with_archived=true'))).toEqual([printer.id, other.id])
    await setPrinter(sql`deleted_at = now()`)
    expect(await list()).toBe('[]')
    expect(ids(await list(owner, '?with_archived=true'))).toEqual([other.id])
  })

  it('has addresses for where it is asked from', async () => {
    const printer = await aPrinter(app, stranger)
    await app.ctx.live.put(keys.picture(printer.id), JSON.stringify(picture()), HOUR)
    const from = async (host: string) =>
      (
        await call(app, 'GET', '/api/v1/printers/', {
          cookie: stranger.cookie,
          headers: { 'x-forwarded-host': host },
        })
      ).json[0].pic.img_url
    expect(await from('one.example')).toMatch(/^http:\/\/one\.example\//)
    expect(await from('two.example')).toMatch(/^http:\/\/two\.example\//)
  })
})
