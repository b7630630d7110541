import type { Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { letIn } from '../../../test/household.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { openBrowser } from '../../../test/wire/browser.ts'
import { setPlan } from '../accounts/index.ts'
import { keepAccount } from '../leaving/index.ts'

const BASE = '/api/v1/households/'
let smtp: TestSmtp
let app: TestApp
let owner: TestUser
let guest: TestUser
let printer: { id: number }

beforeAll(async () => {
  smtp = await openTestSmtp()
  app = await buildTestApp({ env: { ...smtp.env, ACCOUNT_EMAIL_VERIFICATION: 'none' } })
  await aUser(app, { isAdmin: true })
})
afterAll(async () => {
  await app.close()
  await smtp.close()
})
beforeEach(async () => {
  app.newWindows()
  ;[owner, guest] = [await aUser(app), await aUser(app)]
  printer = await aPrinter(app, owner, 'Voron')
})

const by = (who: TestUser, method: string, path: string, body?: unknown) =>
  call(app, method, path, { cookie: who.cookie, body })
const membersAt = (of = owner) => `${BASE}${of.id}/members/`
const invite = (body: object, who = owner, of = owner) => by(who, 'POST', membersAt(of), body)
const keyIn = (letter: Email) => /\/invitation\/#key=([\w-]+)/.exec(letter.text ?? '')![1]!
const accept = (who: TestUser, key: string) => by(who, 'POST', '/api/v1/invitations/accept/', { key })
const printersOf = async (who: TestUser) => (await by(who, 'GET', '/api/v1/printers/')).json
const logOf = async (query = '', who = owner) =>
  (await by(who, 'GET', `${BASE}${owner.id}/audit/${query}`)).json as Record<string, any>[]

describe('an invitation', () => {
  it('goes by mail, says what it offers, is taken up once, and is told to the owner', async () => {
    const { status, json } = await invite({
      email: 'ada@example.net',
      role: 'operator',
      printer_ids: [printer.id],
    })
    expect([status, json]).toMatchObject([
      201,
      {
        name: null,
        email: 'ada@example.net',
        role: 'operator',
        printers: [{ id: printer.id, name: 'Voron' }],
      },
    ])
    const other = await aPrinter(app, owner, 'Not shown')
    const key = keyIn(await smtp.letterTo('ada@example.net', /invites you/))
    const shown = await call(app, 'GET', `/api/v1/invitations/?key=${key}`)
    expect(shown.json).toEqual({ from: owner.email, role: 'operator', printers: ['Voron'] })
    expect(await printersOf(guest)).toEqual([])

    expect((await accept(owner, key)).status).toBe(400)
    expect(await accept(guest, key)).toMatchObject({ status: 200, json: { id: owner.id, role: 'operator' } })
    expect((await accept(await aUser(app), key)).status).toBe(404)
    const [seen, ...rest] = await printersOf(guest)
    expect([seen, rest]).toMatchObject([
      { id: printer.id, role: 'operator', shared_by: owner.email, auth_token: '' },
      [],
    ])
    expect((await by(guest, 'GET', `/api/v1/printers/${other.id}/`)).status).toBe(404)
    await smtp.letterTo(owner.email, /has joined/)
    expect((await by(owner, 'GET', membersAt())).json).toMatchObject([
      { name: guest.email, email: guest.email },
    ])
    expect((await logOf()).map(({ action, who, about }) => [action, who.name, about])).toEqual([
      ['household.joined', guest.email, 'ada@example.net'],
      ['household.invited', owner.email, 'ada@example.net'],
    ])
  })

  it('ends after a week or when it is taken back, and is not made twice', async () => {
    const [first, second] = ['one@example.net', 'two@example.net']
    const made = await invite({ email: first, role: 'viewer' })
    expect((await invite({ email: first.toUpperCase(), role: 'viewer' })).json).toHaveProperty('email')
    const key = keyIn(await smtp.letterTo(first, /invites you/))
    expect((await by(owner, 'DELETE', `${membersAt()}${made.json.id}/`)).status).toBe(204)
    expect((await accept(guest, key)).status).toBe(404)
    await invite({ email: second, role: 'viewer' })
    const late = keyIn(await smtp.letterTo(second, /invites you/))
    app.advance(8 * 86_400_000)
    const again = await aUser(app)
    expect((await accept(again, late)).status).toBe(404)
  })

  it('names nothing that is not the account’s, and nobody else makes one', async () => {
    const theirs = await aPrinter(app, guest)
    const email = 'x@example.net'
    expect((await invite({ email, role: 'viewer', printer_ids: [theirs.id] })).json).toHaveProperty(
      'printer_ids',
    )
    expect((await invite({ email, role: 'owner', printer_ids: [printer.id] })).json).toHaveProperty(
      'printer_ids',
    )
    expect((await invite({ email: owner.email, role: 'viewer' })).json).toHaveProperty('email')
    expect((await invite({ email: 'no address', role: 'viewer' })).status).toBe(400)
    for (const role of ['viewer', 'operator'] as const) {
      const member = await aUser(app)
      await letIn(app, owner, member, { role })
      expect((await invite({ email, role: 'viewer' }, member)).status).toBe(404)
      expect((await by(member, 'GET', membersAt())).status).toBe(404)
      expect((await by(member, 'GET', `${BASE}${owner.id}/audit/`)).status).toBe(404)
    }
    expect((await invite({ email, role: 'viewer' }, guest)).status).toBe(404)
  })
})

describe('a member', () => {
  const at = (rest = '') => `/api/v1/printers/${printer.id}/${rest}`
  it.each([
    ['viewer', [200, 404, 404]],
    ['operator', [200, 200, 404]],
    ['owner', [200, 200, 200]],
  ] as const)('who is %s may do so much, and is in the log by name', async (role, wanted) => {
    await letIn(app, owner, guest, { role })
    const answers = [
      await by(guest, 'GET', at()),
      await by(guest, 'POST', at('pause_print/')),
      await by(guest, 'PATCH', at(), { name: 'Renamed' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(wanted)
    const log = await logOf(`?user_id=${guest.id}`)
    expect(log.map(({ action, who }) => [action, who.name])).toEqual(
      role === 'owner' ? [['printer.changed', guest.email]] : [],
    )
    expect(await logOf(`?printer_id=${printer.id}&kind=printer`)).toHaveLength(role === 'owner' ? 1 : 0)
    expect(await logOf('?kind=household')).toEqual([])
  })

  it('never reaches what is the account’s alone: its tunnel, its queue, its files, its keys', async () => {
    await letIn(app, owner, guest, { role: 'owner' })
    const { id } = printer
    const calls = [
      ['POST', '/api/v1/tunnels/', { app_name: 'x', target_printer_id: id }],
      ['GET', `/octoprint/${id}/`],
      ['DELETE', `/api/v1/queue/printers/${id}/bed_cleared/`],
      ['PATCH', `/api/v1/queue/printers/${id}/`, { enabled: true }],
      ['POST', '/api/v1/api_keys/', { name: 'x', scope: 'read', printer_ids: [id] }],
    ] as const
    for (const [method, path, body] of calls)
      expect([path, (await by(guest, method, path, body)).status]).toEqual([path, 404])
  })

  it('as an owner invites others and shuts them out, but changes nothing of themselves', async () => {
    const mine = await letIn(app, owner, guest, { role: 'owner' })
    const other = await aUser(app)
    const theirs = await letIn(app, owner, other, { role: 'viewer' })
    expect((await invite({ email: 'y@example.net', role: 'viewer' }, guest)).status).toBe(201)
    expect((await by(guest, 'PATCH', `${membersAt()}${mine}/`, { role: 'viewer' })).status).toBe(403)
    const changed = await by(guest, 'PATCH', `${membersAt()}${theirs}/`, { role: 'operator' })
    expect(changed.json).toMatchObject({ role: 'operator' })
    expect((await by(guest, 'DELETE', `${membersAt()}${theirs}/`)).status).toBe(204)
    expect(await printersOf(other)).toEqual([])
    await smtp.letterTo(other.email, /shares no printers/)
  })

  it('keeps their printers with another role; an owner has all', async () => {
    await aPrinter(app, owner, 'Not shared')
    const id = await letIn(app, owner, guest, { role: 'viewer', printerIds: [printer.id] })
    const change = async (body: object) => (await by(owner, 'PATCH', `${membersAt()}${id}/`, body)).json
    const some = [{ id: printer.id, name: 'Voron' }]
    expect(await change({ role: 'operator' })).toMatchObject({ role: 'operator', printers: some })
    expect(await printersOf(guest)).toHaveLength(1)
    expect(await change({ role: 'owner' })).toMatchObject({ role: 'owner', printers: null })
    expect(await printersOf(guest)).toHaveLength(2)
    expect(await change({ role: 'viewer', printer_ids: [printer.id] })).toMatchObject({ printers: some })
  })

  it('leaves by themselves, and nobody else takes them out', async () => {
    const id = await letIn(app, owner, guest, { role: 'viewer' })
    const stranger = await aUser(app)
    expect((await by(stranger, 'DELETE', `${membersAt()}${id}/`)).status).toBe(404)
    expect((await by(guest, 'GET', BASE)).json).toMatchObject([
      { id: guest.id, role: null },
      { id: owner.id, role: 'viewer', member_id: id },
    ])
    expect((await by(guest, 'DELETE', `${membersAt()}${id}/`)).status).toBe(204)
    expect(await printersOf(guest)).toEqual([])
    await smtp.letterTo(owner.email, /has left/)
  })

  it('sees nothing of an account that is closed, until it is kept', async () => {
    await letIn(app, owner, guest, { role: 'owner' })
    const page = await openBrowser(app, `/ws/web/${printer.id}/`, guest.cookie)
    await page.hear(({ role }) => role === 'owner')
    const gone = await by(owner, 'POST', '/ent/api/users/delete/', { acknowledged: true, reason: 'x' })
    expect(gone.status).toBe(204)
    expect(await printersOf(guest)).toEqual([])
    expect((await by(guest, 'DELETE', `/api/v1/printers/${printer.id}/`)).status).toBe(404)
    await eventually(() => (page.closed === null ? undefined : true))
    expect(await keepAccount(app.ctx, owner)).toBe(true)
    expect(await printersOf(guest)).toHaveLength(1)
  })

  it('sees prints and events of what is shared, and the account’s uploads never', async () => {
    await letIn(app, owner, guest, { role: 'viewer' })
    for (const printerId of [printer.id, null])
      await app.ctx.db
        .insertInto('prints')
        .values({ userId: owner.id, printerId: printerId as never, filename: `on ${printerId}` })
        .execute()
    const prints = (await by(guest, 'GET', '/api/v1/prints/')).json
    expect(prints.map(({ filename }: { filename: string }) => filename)).toEqual([`on ${printer.id}`])
    expect((await by(guest, 'DELETE', `/api/v1/prints/${prints[0].id}/`)).status).toBe(404)
  })

  it('is followed by open pages: another role shows, and who is shut out is cut off', async () => {
    const id = await letIn(app, owner, guest, { role: 'viewer' })
    const page = await openBrowser(app, `/ws/web/${printer.id}/`, guest.cookie)
    const list = await openBrowser(app, '/ws/web/all/', guest.cookie)
    list.send({ watch: [printer.id] })
    await page.hear(({ role }) => role === 'viewer')
    await list.hear(({ printers }) => printers?.[0]?.role === 'viewer')
    page.send({ passthru: { ref: 'a', target: '_printer', func: 'jog', args: [{ x: 1 }] } })
    const refused = await page.hear(({ passthru }) => passthru?.ref === 'a')
    expect(refused['passthru'].code).toBe('not_allowed')

    await by(owner, 'PATCH', `${membersAt()}${id}/`, { role: 'operator' })
    await page.hear(({ role }) => role === 'operator')
    await list.hear(({ patches }) => patches?.[0]?.patch.role === 'operator')
    // Nobody speaks for the printer: let through, and not delivered.
    page.send({ passthru: { ref: 'b', target: '_printer', func: 'jog', args: [{ x: 1 }] } })
    const passed = await page.hear(({ passthru }) => passthru?.ref === 'b')
    expect(passed['passthru'].code).not.toBe('not_allowed')

    // Another printer is shared: the list is read again.
    await list.hear(({ again }) => again === true)
    await by(owner, 'DELETE', `${membersAt()}${id}/`)
    await eventually(() => (page.closed === null ? undefined : true))
    await list.hear(({ gone }) => gone?.includes(printer.id))
    expect(page.closed).toBe(4401)
  })
})

describe('the order in which members are told', () => {
  it('is the owner’s to set, of members alone', async () => {
    const other = await aUser(app)
    const [first, second] = [
      await letIn(app, owner, guest, { role: 'viewer' }),
      await letIn(app, owner, other, { role: 'operator' }),
    ]
    const order = (ids: number[]) => by(owner, 'PUT', `${BASE}${owner.id}/order/`, { member_ids: ids })
    const placesOf = (rows: { id: number; place: number | null }[]) =>
      Object.fromEntries(rows.map(({ id, place }) => [id, place]))
    expect(placesOf((await order([second, first])).json)).toEqual({ [second]: 1, [first]: 2 })
    expect(placesOf((await order([first])).json)).toEqual({ [second]: null, [first]: 1 })
    expect((await order([first, first])).status).toBe(400)
    expect((await order([2_000_000_000])).status).toBe(400)
  })
})

describe('the enterprise edition', () => {
  it('has no households on the free plan, in the words that links have', async () => {
    const ent = await buildTestApp({ env: { ...smtp.env, IS_ENT: 'true' } })
    await aUser(ent, { isAdmin: true })
    const free = await aUser(ent)
    await setPlan(ent.ctx, { email: free.email, plan: 'free' })
    const ask = () =>
      call(ent, 'POST', `${BASE}${free.id}/members/`, {
        cookie: free.cookie,
        body: { email: 'z@example.net', role: 'viewer' },
      })
    expect(await ask()).toMatchObject({
      status: 403,
      json: { detail: 'Printer feed sharing is a Pro feature' },
    })
    await setPlan(ent.ctx, { email: free.email, plan: 'pro' })
    expect((await ask()).status).toBe(201)
    await ent.close()
  })
})
