import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Container, MediaRef } from '../../../engines/files/port.ts'
import { everything } from '../../../engines/db/backup.rows.fixture.ts'
import {
  aPrinter,
  aUser,
  buildTestApp,
  call,
  PASSWORD,
  type TestApp,
  type TestUser,
} from '../../../test/app.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { connectAgent } from '../../../test/wire/agent.ts'
import { takeStep } from '../../shop/subscriptions/index.ts'
import { setPlan } from '../accounts/index.ts'
import { allTables, countOf, OF_NOBODY } from './belongings.queries.ts'
import { eraseDue } from './erase.service.ts'
import { fillTables, MARK } from './leaving.fixture.ts'
import { keepAccount } from './leaving.service.ts'

const HOUR_MS = 3_600_000
const CONTAINERS: readonly Container[] = ['tsd-pics', 'tsd-timelapses', 'tsd-gcodes']
const GOING = { acknowledged: true, reason: 'I print no more.' }
let app: TestApp
let mailbox: TestSmtp

beforeAll(async () => {
  mailbox = await openTestSmtp()
  app = await buildTestApp({ env: { ...mailbox.env, PUBLIC_URL: 'http://vigil.test', IS_ENT: 'true' } })
})
afterAll(async () => {
  await app.close()
  await mailbox.close()
})
beforeEach(() => app.newWindows())

async function anOwner(): Promise<TestUser> {
  const owner = await aUser(app)
  await setPlan(app.ctx, { email: owner.email, plan: 'free' })
  return owner
}
const leave = ({ cookie }: TestUser, body: object = GOING) =>
  call(app, 'POST', '/ent/api/users/delete/', { cookie, body })
const signIn = ({ email }: TestUser) =>
  call(app, 'POST', '/api/v1/auth/login/', { body: { email, password: PASSWORD } })
const undo = (link: string) => call(app, 'POST', '/api/v1/auth/leaving/undo/', { body: { link } })

async function linkTo({ email }: TestUser): Promise<string> {
  const { text = '' } = await mailbox.letterTo(email, /will be deleted/)
  return /accounts\/keep\/([\w-]+)\//.exec(text)?.[1] ?? ''
}

async function printing(owner: TestUser) {
  const printer = await aPrinter(app, owner)
  const print = await app.ctx.db
    .insertInto('prints')
    .values({ userId: owner.id, printerId: printer.id, filename: 'benchy.gcode' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.ctx.db
    .updateTable('printers')
    .set({ currentPrintId: print.id })
    .where('id', '=', printer.id)
    .execute()
  return { ...printer, printId: print.id }
}

describe('deleting an account', () => {
  it.each([
    ['who has not seen what it means', { reason: 'x' }],
    ['who does not say why', { acknowledged: true, reason: '  ' }],
  ])('is refused to %s', async (_, body) => {
    const owner = await anOwner()
    expect((await leave(owner, body)).status).toBe(400)
    expect((await signIn(owner)).status).toBe(200)
  })

  it('is refused while a subscription is paid for, and to a session that has shown nothing for a while', async () => {
    const owner = await anOwner()
    await takeStep(app.ctx, owner.id, {
      edge: 'buy',
      actor: 'provider',
      terms: { planId: 'pro', lastsMs: 30 * 24 * HOUR_MS },
    })
    const paid = await leave(owner)
    expect([paid.status, paid.json]).toEqual([409, { error: 'active_subscription' }])
    // What was given ends with the account: nobody could end it before.
    for (const plan of ['free', 'pro'] as const) await setPlan(app.ctx, { email: owner.email, plan })
    app.advance(16 * 60_000)
    expect((await leave(owner)).json).toMatchObject({ reason: 'proof_wanted', has_password: true })
    const { cookie } = owner
    await call(app, 'POST', '/api/v1/auth/proof/', { cookie, body: { password: PASSWORD } })
    expect((await leave(owner)).status).toBe(204)
  })

  it('ends sessions, tokens and agents at once, and says what prints on unwatched', async () => {
    const owner = await anOwner()
    const { auth_token: authToken } = await printing(owner)
    const { cookie, token } = owner
    const { json } = await call(app, 'GET', '/api/v1/users/me/leaving/', { cookie })
    expect(json).toMatchObject({
      has_subscription: false,
      is_mailed: true,
      printing: [{ printer: 'Ender', print: 'benchy.gcode' }],
      archive: null,
    })
    const agent = await connectAgent(app, authToken)
    expect((await leave(owner)).status).toBe(204)
    await agent.end()
    const me = '/api/v1/users/me/'
    expect((await call(app, 'GET', me, { cookie })).status).toBe(403)
    expect((await call(app, 'GET', me, { token })).status).toBe(403)
    expect((await call(app, 'GET', '/api/v1/octo/ping/', { agent: authToken })).status).toBe(401)
    expect((await signIn(owner)).status).toBe(400)
    const { text } = await mailbox.letterTo(owner.email, /will be deleted/)
    expect(text).toMatch(/nobody watches them any more[^]{0,200}Ender: benchy\.gcode/)
  })

  it('is undone by the link, once; then all is open again, but for the sessions', async () => {
    const owner = await anOwner()
    const { auth_token: authToken } = await printing(owner)
    await leave(owner)
    const link = await linkTo(owner)
    expect((await undo(`${link}x`)).status).toBe(400)
    expect((await undo(link)).status).toBe(204)
    expect((await undo(link)).status).toBe(400)
    expect((await signIn(owner)).status).toBe(200)
    expect((await call(app, 'GET', '/api/v1/users/me/', { token: owner.token })).status).toBe(200)
    expect((await call(app, 'GET', '/api/v1/octo/ping/', { agent: authToken })).status).toBe(200)
    app.advance(73 * HOUR_MS)
    await eraseDue(app.ctx)
    expect((await signIn(owner)).status).toBe(200)
  })

  it('is undone by nobody after 72 hours, and by the operator before', async () => {
    const owner = await anOwner()
    await leave(owner)
    const link = await linkTo(owner)
    expect(await keepAccount(app.ctx, owner)).toBe(true)
    expect(await keepAccount(app.ctx, owner)).toBe(false)
    expect((await undo(link)).status).toBe(400)
    const back = await signIn(owner)
    const cookie = back.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    await leave({ ...owner, cookie })
    app.advance(72 * HOUR_MS + 1)
    expect((await undo(await linkTo(owner))).status).toBe(400)
    expect(await keepAccount(app.ctx, owner)).toBe(false)
  })
})

it('every table says whose its rows are, or is known to be of nobody', async () => {
  const tables = await allTables(app.ctx.db)
  const ownerless = tables.filter(({ whose }) => whose === null).map(({ table }) => table)
  expect(ownerless).toEqual(OF_NOBODY.filter((name) => tables.some(({ table }) => table === name)))
})

async function listAll(): Promise<string[]> {
  const found: string[] = []
  for (const container of CONTAINERS)
    for await (const path of app.ctx.files.list(container, '')) found.push(`${container} ${path}`)
  return found.toSorted()
}

it('after 72 hours no table and no bucket holds anything of the person, and all of the others’ is there', async () => {
  const other = await anOwner()
  const theirs = await printing(other)
  const owner = await anOwner()
  const mine = await printing(owner)
  await app.ctx.db.updateTable('users').set({ firstName: MARK }).where('id', '=', owner.id).execute()
  const put = (container: Container, path: string) =>
    app.ctx.files.put({ container, path } satisfies MediaRef, Buffer.from(MARK))
  const filesOf = ({ id }: TestUser, { id: printer, printId }: typeof mine) =>
    [
      ['tsd-pics', `raw/${printer}/${printId}/1.jpg`],
      ['tsd-pics', `tagged/${printer}/${printId}/1.jpg`],
      ['tsd-pics', `snapshots/${printer}/latest_unrotated.jpg`],
      ['tsd-pics', `ff_printshots/${id}/${printId}/1.jpg`],
      ['tsd-pics', `first_layer/${printer}/1/1.jpg`],
      ['tsd-timelapses', `uploads/${id}/film.mp4`],
      ['tsd-timelapses', `gcode_thumbnails/${id}/0123/1.png`],
      ['tsd-timelapses', `exports/${id}/x.zip`],
      ['tsd-gcodes', `${id}/0123456789abcdef01234567`],
      ['tsd-gcodes', `models/${id}/x`],
      ['tsd-gcodes', `slices/${id}/x`],
    ] as const
  for (const [container, path] of filesOf(other, theirs)) await put(container, path)
  const before = await listAll()
  for (const [container, path] of filesOf(owner, mine)) await put(container, path)
  await put('tsd-timelapses', `private/${MARK}`)
  const tables = (await allTables(app.ctx.db)).filter(({ whose }) => whose !== null)
  await fillTables(
    app.databaseUrl,
    owner.id,
    tables.map(({ table }) => table).filter((name) => name !== 'departures'),
  )
  // Others have done something, too: the server by itself, and who was let in.
  const done = { printId: null, outcome: 'sent', detail: JSON.stringify({ path: MARK }) }
  await app.ctx.db
    .insertInto('audit')
    .values([
      { ...done, actor: 'system', userId: null, printerId: mine.id, action: 'command.pause' },
      {
        ...done,
        actor: 'web',
        userId: other.id,
        printerId: theirs.id,
        action: 'command.pause',
        detail: '{}',
      },
      { ...done, actor: 'web', userId: other.id, printerId: mine.id, action: 'printer_file.delete' },
      {
        ...done,
        actor: 'web',
        userId: other.id,
        printerId: null,
        action: 'household.ordered',
        detail: JSON.stringify({ account: owner.id, about: MARK }),
      },
    ])
    .execute()
  const rows = async ({ id }: TestUser) => {
    const counts = await Promise.all(tables.map((one) => countOf(app.ctx.db, one, id)))
    return tables.flatMap(({ table }, n) => ((counts[n] ?? 0) > 0 ? [table] : []))
  }
  expect(tables.map(({ table }) => table).filter((name) => name !== 'departures')).toEqual(await rows(owner))
  const others = await rows(other)

  expect((await leave(owner)).status).toBe(204)
  app.advance(72 * HOUR_MS + 1)
  await eraseDue(app.ctx)
  await expect.poll(() => rows(owner)).toEqual([])

  const left = await everything(app.databaseUrl)
  // Books are kept without a name: docs/rules/people.md 13.
  expect(left['payments']?.map((row) => row.includes(`"user_id":${owner.id}`))).toEqual([false])
  const told = Object.entries(left).flatMap(([table, all]) =>
    (table === 'payments' ? [] : all)
      .filter((row) => row.includes(MARK) || row.includes(owner.email))
      .map((row) => `${table}: ${row}`),
  )
  expect(told).toEqual([])
  // That it was done, and nothing of whom, must be shown to who asks by right (docs/rules/people.md 13).
  const proof = left['audit']?.filter((row) =>
    new RegExp(`account_erased.{0,80}account\\W+${owner.id}\\b`).test(row),
  )
  expect(proof).toHaveLength(1)
  expect(await listAll()).toEqual(before)
  // More of theirs may have happened in these days.
  expect(await rows(other)).toEqual(expect.arrayContaining(others))
})
