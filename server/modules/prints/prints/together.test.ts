/** Prints that begin in the same moment: each once, by a few statements, and none at the expense of another. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aNode, aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { greeted, printing } from '../../../test/faults/support.ts'
import { asId } from '../../../test/ids.ts'
import { allStatements } from '../../../test/queries.ts'
import { eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { byServer } from '../../core/access/index.ts'
import { applyBeginning, applyReport } from './prints.service.ts'

const MANY = 60
const KEY = 1_790_000_000
/** What is written of a beginning: one by one each would be so 60 times. */
const WRITES = [
  /from "printers" inner join "users".*for update/,
  /insert into prints/,
  /update printers set current_print_id = new/,
  /update printer_predictions p/,
  /insert into "printer_events"/,
  /update users set unseen/,
  /insert into queue_beds/,
  /INSERT INTO pgboss/,
]

let app: TestApp
let owner: TestUser
let printers: { id: number; token: string }[]
const agents: WireAgent[] = []

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(async () => {
  for (const { ws } of agents) ws.terminate()
  await app.close()
})
beforeEach(() => {
  printers = []
})

async function add(count: number): Promise<number[]> {
  const added = []
  for (let at = 0; at < count; at++) added.push(await aPrinter(app, owner, `P${at}`))
  printers = added.map(({ id, auth_token: token }) => ({ id, token }))
  return printers.map(({ id }) => id)
}
const report = (printTs: number) => ({
  printTs,
  fileName: 'part.gcode',
  fileId: null,
  event: null,
  isLive: true,
  progress: { completion: 1, printTime: 1, filamentUsed: 1, planned: null },
  last: null,
})
const begin = (id: number, printTs = KEY, node = app) =>
  applyBeginning(node.ctx, byServer(asId(id)), report(printTs))

/** The prints of these printers, which of them is current, and how many beginnings were told. */
async function kept() {
  const { rows } = await sql<{ prints: number; current: number; told: number; unseen: number }>`
    select (select count(*)::int from prints where printer_id = p.id) as prints,
      (select count(*)::int from prints where id = p.current_print_id and printer_id = p.id) as current,
      (select count(*)::int from printer_events where printer_id = p.id and code = 'print_started') as told
    from printers p where p.id = any(${printers.map(({ id }) => id)}::integer[]) order by p.id`.execute(
    app.ctx.db,
  )
  return rows
}
const once = (count: number) => Array.from({ length: count }, () => ({ prints: 1, current: 1, told: 1 }))
async function connect(): Promise<WireAgent[]> {
  const all = await Promise.all(printers.map(({ token }) => greeted(app, token)))
  agents.push(...all)
  return all
}
const allBegun = () =>
  eventually(async () =>
    (await kept()).every(({ prints, current }) => prints === 1 && current === 1) ? true : undefined,
  )

test('are written by a few statements, each with its event, and each agent hears that it is watched', async () => {
  await add(MANY)
  const all = await connect()
  const statements = await allStatements(async () => {
    for (const agent of all) agent.send(printing(KEY))
    await allBegun()
  })
  expect(await kept()).toEqual(once(MANY))
  const written = WRITES.map((write) => statements.filter((one) => write.test(one)).length)
  expect(Math.min(...written), written.join(' ')).toBeGreaterThan(0)
  expect(Math.max(...written), written.join(' ')).toBeLessThan(MANY / 3)
  for (const agent of all) await agent.hear(({ remote_status: word }) => word?.should_watch === true)
})

test('one that is told twice begins once, and both hear of the same', async () => {
  const [one = 0, other = 0] = await add(2)
  const [first, again, beside] = await Promise.all([begin(one), begin(one), begin(other)])
  expect([first?.print?.extId, again, beside?.print?.extId]).toEqual([KEY, null, KEY])
  const told = await applyReport(app.ctx, byServer(asId(one)), report(KEY))
  expect(told?.print).toEqual(first?.print)
  expect(await begin(one, KEY + 100), 'something runs: the rows are asked').toBeNull()
  expect(await kept()).toEqual(once(2))
})

test('of a printer that is deleted nothing is written, and the others begin', async () => {
  const [gone = 0, ...others] = await add(4)
  const { status } = await call(app, 'DELETE', `/api/v1/printers/${gone}/`, { cookie: owner.cookie })
  expect(status).toBe(204)
  const [none, ...begun] = await Promise.all([gone, ...others].map((id) => begin(id)))
  expect(none).toBeNull()
  expect(await applyReport(app.ctx, byServer(asId(gone)), report(KEY))).toBeNull()
  expect(begun.map((one) => one?.shouldWatch)).toEqual([true, true, true])
  expect((await kept()).slice(-3)).toEqual(once(3))
})

test('one that cannot be written keeps no other from it', async () => {
  const [bad = 0, ...others] = await add(4)
  // No such key fits into its column.
  const [refused, ...begun] = await Promise.allSettled([begin(bad, 1e19), ...others.map((id) => begin(id))])
  expect(refused?.status).toBe('rejected')
  expect(begun.map(({ status }) => status)).toEqual(others.map(() => 'fulfilled'))
  expect(await kept()).toEqual([{ prints: 0, current: 0, told: 0 }, ...once(3)])
})

test('one with the file of somebody else begins without it, and its owner’s own is kept', async () => {
  const [one = 0, other = 0] = await add(2)
  const stranger = await aUser(app)
  const file = async (userId: number) =>
    await app.ctx.db
      .insertInto('gCodeFiles')
      .values({ userId: asId(userId), filename: 'b', safeFilename: 'b' })
      .returning('id')
      .executeTakeFirstOrThrow()
  const [theirs, own] = [await file(stranger.id), await file(owner.id)]
  const named = (id: number, fileId: number) =>
    applyBeginning(app.ctx, byServer(asId(id)), { ...report(KEY), fileId })
  const [without, having] = await Promise.all([named(one, theirs.id), named(other, own.id)])
  expect(without).toMatchObject({ print: { gCodeFileId: null }, refused: { fileId: theirs.id } })
  expect(having).toMatchObject({ print: { gCodeFileId: own.id }, refused: { fileId: null } })
})

test('two nodes that are told of the same prints begin each once', async () => {
  const env = { VIGIL_SECRET: randomBytes(32).toString('hex') }
  const other = await aNode(app.databaseUrl, env)
  const ids = await add(20)
  const begun = await Promise.all(
    [...ids, ...ids.toReversed()].map((id, at) => begin(id, KEY, at < 20 ? app : other)),
  )
  expect(begun.filter((one) => one !== null)).toHaveLength(20)
  expect(await kept()).toEqual(once(20))
  await other.close()
})

test('a connection that is lost in the middle: all begin, once', async () => {
  await add(20)
  const all = await connect()
  const client = new pg.Client({ connectionString: app.databaseUrl })
  await client.connect()
  await client.query('begin; lock table printer_events in exclusive mode')
  const waiting = async () =>
    (
      await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    ).rows
  for (const agent of all) agent.send(printing(KEY))
  const [{ pid } = { pid: 0 }] = await eventually(async () => {
    const rows = await waiting()
    return rows.length > 0 ? rows : undefined
  })
  expect((await kept()).every(({ prints }) => prints === 0)).toBe(true)
  await client.query('select pg_terminate_backend($1)', [pid])
  await client.query('commit')
  await client.end()
  await allBegun()
  expect(await kept()).toEqual(once(20))
})
