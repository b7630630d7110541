import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { letIn } from '../../../test/household.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())

const openCode = async (who: TestUser, query = '') =>
  (await call(app, 'GET', `/api/v1/onetimeverificationcodes/${query}`, { cookie: who.cookie })).json
const verify = (code: string, headers: Record<string, string> = {}) =>
  call(app, 'POST', `/api/v1/octo/verify/?code=${code}`, { headers })

/** A client somewhere on the Internet, as a proxy on this machine reports it. */
const from = (address: string) => ({ 'x-forwarded-for': address })

let devices = 0
const device = () => (++devices).toString(16).padStart(32, '0')
const announce = (deviceId: string, headers: Record<string, string> = {}, more: object = {}) =>
  call(app, 'POST', '/api/v1/octo/unlinked/', {
    headers,
    body: {
      device_id: deviceId,
      host_or_ip: '192.168.1.20',
      port: 46793,
      hostname: 'pi',
      agent: 'moonraker_obico',
      ...more,
    },
  })
const discovered = async (who: TestUser, headers: Record<string, string> = {}) =>
  (await call(app, 'GET', '/api/v1/printer_discovery/', { cookie: who.cookie, headers })).json as {
    device_id: string
  }[]

describe('6-digit code', () => {
  test('asked twice is the same code, of six digits, for two hours', async () => {
    const first = await openCode(owner)
    expect(first.code).toMatch(/^\d{6}$/)
    expect(await openCode(owner)).toEqual(first)
    const life = Date.parse(first.expired_at) - app.ctx.clock.now()
    expect(life).toBeGreaterThan(7_100_000)
    expect(life).toBeLessThanOrEqual(7_200_000)
  })

  test('gives the agent a new printer with its token, once; the page then finds the printer', async () => {
    const { id, code } = await openCode(owner)
    const answer = await verify(code)
    expect(answer.status).toBe(200)
    expect(answer.json.printer.auth_token).toMatch(/^[0-9a-f]{20}$/)
    const polled = (
      await call(app, 'GET', `/api/v1/onetimeverificationcodes/${id}/`, { cookie: owner.cookie })
    ).json
    expect(polled.verified_at).not.toBeNull()
    expect(polled.printer.id).toBe(answer.json.printer.id)
    expect((await verify(code, from('198.51.100.1'))).status).toBe(404)
    expect((await openCode(owner)).code).not.toBe(code)
    const gate = await call(app, 'GET', '/api/v1/octo/printer/', { agent: answer.json.printer.auth_token })
    expect(gate.json.printer.id).toBe(answer.json.printer.id)
  })

  test('gives each new printer a name of its own', async () => {
    const maker = await aUser(app)
    const names = []
    for (let i = 0; i < 3; i++) names.push((await verify((await openCode(maker)).code)).json.printer.name)
    expect(names).toEqual(['My Awesome Printer', 'My Awesome Printer 2', 'My Awesome Printer 3'])
  })

  test('is taken from the body too', async () => {
    const { code } = await openCode(owner)
    const answer = await call(app, 'POST', '/api/v1/octo/verify/', { body: { code } })
    expect(answer.json.printer.auth_token).toMatch(/^[0-9a-f]{20}$/)
  })

  test('of a stranger cannot be read, and a foreign printer cannot be re-linked', async () => {
    const { id } = await openCode(owner)
    const theirs = await aPrinter(app, owner)
    const peek = await call(app, 'GET', `/api/v1/onetimeverificationcodes/${id}/`, {
      cookie: stranger.cookie,
    })
    expect(peek.status).toBe(404)
    const steal = await call(app, 'GET', `/api/v1/onetimeverificationcodes/?printer_id=${theirs.id}`, {
      cookie: stranger.cookie,
    })
    expect(steal.status).toBe(404)
  })

  test('re-links a printer: the old token ends at once, the printer stays', async () => {
    const before = await aPrinter(app, owner)
    expect((await call(app, 'GET', '/api/v1/octo/printer/', { agent: before.auth_token })).status).toBe(200)
    const { code } = await openCode(owner, `?printer_id=${before.id}`)
    const after = (await verify(code)).json.printer
    expect(after.id).toBe(before.id)
    expect(after.auth_token).not.toBe(before.auth_token)
    const refused = await call(app, 'GET', '/api/v1/octo/printer/', { agent: before.auth_token })
    expect(refused.status).toBe(401)
    expect(refused.json.is_authenticated).toBe('False')
  })

  test('of who runs a household links into its account, and its printers anew: the agent has its token, the owner a line in the log', async () => {
    const [home, guest] = [await aUser(app), await aUser(app)]
    const id = await letIn(app, home, guest, { role: 'owner' })
    const codeFor = async (query: string) => await openCode(guest, query)
    const code = await codeFor(`?account=${home.id}`)
    expect((await openCode(guest)).code).not.toBe(code.code)
    const made = (await verify(code.code)).json.printer
    expect(made.auth_token).toMatch(/^[0-9a-f]{20}$/)
    const listed = async (who: TestUser) =>
      (await call(app, 'GET', '/api/v1/printers/', { cookie: who.cookie })).json
    expect(await listed(home)).toMatchObject([{ id: made.id, auth_token: made.auth_token }])
    expect(await listed(guest)).toMatchObject([{ id: made.id, shared_by: home.email, auth_token: '' }])
    const polled = `/api/v1/onetimeverificationcodes/${code.id}/`
    expect((await call(app, 'GET', polled, { cookie: guest.cookie })).json.printer).toMatchObject({
      id: made.id,
      auth_token: '',
    })

    const again = (await verify((await codeFor(`?printer_id=${made.id}`)).code)).json.printer
    expect(again.auth_token).toMatch(/^[0-9a-f]{20}$/)
    expect(again.auth_token).not.toBe(made.auth_token)
    const log = `/api/v1/households/${home.id}/audit/`
    const acts = (await call(app, 'GET', log, { cookie: home.cookie })).json as Record<string, any>[]
    expect(acts.map(({ action, who }) => [action, who.name])).toEqual([
      ['printer.relinked', guest.email],
      ['printer.linked', guest.email],
    ])

    const late = await codeFor(`?account=${home.id}`)
    const members = `/api/v1/households/${home.id}/members/${id}/`
    await call(app, 'DELETE', members, { cookie: home.cookie })
    expect((await verify(late.code, from('198.51.100.21'))).status).toBe(404)
    const asked = `/api/v1/onetimeverificationcodes/?account=${home.id}`
    expect((await call(app, 'GET', asked, { cookie: guest.cookie })).status).toBe(404)
  })

  test('of who was shut out since opens nothing, in no household either', async () => {
    const [home, guest] = [await aUser(app), await aUser(app)]
    await letIn(app, home, guest, { role: 'owner' })
    const { id } = await aPrinter(app, home)
    const codes = []
    for (const query of ['', `?account=${home.id}`, `?printer_id=${id}`])
      codes.push((await openCode(guest, query)).code)
    await app.ctx.db.updateTable('users').set({ isActive: false }).where('id', '=', guest.id).execute()
    for (const code of codes) expect((await verify(code, from('198.51.100.22'))).status).toBe(404)
  })

  test('guessing is refused after ten wrong codes from one address, others go on', async () => {
    app.newWindows()
    for (let i = 0; i < 10; i++) expect((await verify('000000x', from('198.51.100.7'))).status).toBe(404)
    const refused = await verify('000000x', from('198.51.100.7'))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const { code } = await openCode(stranger)
    expect((await verify(code, from('198.51.100.8'))).status).toBe(200)
  })

  test('guesses at the same moment cannot outrun the count', async () => {
    app.newWindows()
    const storm = await Promise.all(
      Array.from({ length: 400 }, () => verify('000000x', from('198.51.100.17'))),
    )
    expect(storm.filter(({ status }) => status === 404)).toHaveLength(10)
    expect(storm.filter(({ status }) => status === 429)).toHaveLength(390)
  })

  test('right codes are no guesses: a farm links its printers from one address', async () => {
    for (let i = 0; i < 12; i++) {
      const { code } = await openCode(owner)
      expect((await verify(code, from('198.51.100.18'))).status).toBe(200)
    }
  })

  test.each([
    ['no code', '/api/v1/octo/verify/', 400],
    ['a code with NUL', '/api/v1/octo/verify/?code=%00', 400],
    ['a printer id beyond 64 bits', '/api/v1/octo/verify/?code=99999999999999999999999999', 404],
  ])('%s is refused plainly', async (_name, path, status) => {
    expect((await call(app, 'POST', path, { headers: from('198.51.100.9') })).status).toBe(status)
  })
})

describe('one-time passcode', () => {
  const poll = async (deviceId: string, passcode: string) =>
    (await announce(deviceId, {}, { one_time_passcode: passcode })).json

  test('typed by the owner links the agent that shows it, at its next poll', async () => {
    const id = device()
    const first = await poll(id, '')
    expect(first.one_time_passcode).toMatch(/^[a-z0-9]{5}$/)
    expect(first.verification_code).toBe('')
    expect(first.one_time_passlink).toBe(
      `${app.url}/printers/wizard/link/klipper-generic/?one_time_passcode=${first.one_time_passcode}`,
    )
    expect((await poll(id, first.one_time_passcode)).one_time_passcode).toBe(first.one_time_passcode)
    const { code } = await openCode(owner)
    const type = (passcode: string) =>
      call(app, 'POST', '/api/v1/one_time_passcodes/', {
        cookie: owner.cookie,
        body: { one_time_passcode: passcode, verification_code: code },
      })
    expect((await type(first.one_time_passcode.toUpperCase())).json).toEqual({ detail: 'OK' })
    expect((await type(first.one_time_passcode)).status).toBe(404)
    expect((await discovered(owner)).map((one) => one.device_id)).toContain(id)
    expect((await poll(id, first.one_time_passcode)).verification_code).toBe(code)
    expect((await discovered(owner)).map((one) => one.device_id)).not.toContain(id)
    expect((await verify(code)).status).toBe(200)
  })

  test('does nothing for another agent, nor with a stranger’s code', async () => {
    const mine = await poll(device(), '')
    const thief = await poll(device(), mine.one_time_passcode)
    expect(thief.one_time_passcode).not.toBe(mine.one_time_passcode)
    const { code } = await openCode(stranger)
    const answer = await call(app, 'POST', '/api/v1/one_time_passcodes/', {
      cookie: owner.cookie,
      body: { one_time_passcode: mine.one_time_passcode, verification_code: code },
    })
    expect(answer.status).toBe(404)
  })

  test('is guarded against guessing: five tries a minute', async () => {
    app.newWindows()
    const guesser = await aUser(app)
    const { code } = await openCode(guesser)
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const body = { one_time_passcode: `zzzz${i}`, verification_code: code }
      statuses.push(
        (await call(app, 'POST', '/api/v1/one_time_passcodes/', { cookie: guesser.cookie, body })).status,
      )
    }
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429])
  })
})

describe('discovery', () => {
  test('on the home network every browser sees every unlinked agent, without its passcode', async () => {
    const ids = [device(), device(), device()]
    for (const id of ids) expect((await announce(id)).json).toEqual({ messages: [] })
    const seen = await discovered(owner)
    for (const id of ids) expect(seen.map((one) => one.device_id)).toContain(id)
    expect(JSON.stringify(seen)).not.toContain('one_time_passcode')
  })

  test('strangers behind different addresses never meet, neighbours behind one do', async () => {
    const id = device()
    await announce(id, from('62.12.113.9'))
    expect((await discovered(owner, from('62.12.113.10'))).map((one) => one.device_id)).not.toContain(id)
    expect((await discovered(owner)).map((one) => one.device_id)).not.toContain(id)
    expect((await discovered(owner, from('62.12.113.9'))).map((one) => one.device_id)).toEqual([id])
  })

  test('an IPv6 household is its /64', async () => {
    const id = device()
    await announce(id, from('2a01:db8:1:2::aaaa'))
    expect((await discovered(owner, from('2a01:db8:1:2::bbbb'))).map((one) => one.device_id)).toEqual([id])
    expect(await discovered(owner, from('2a01:db8:1:3::bbbb'))).toEqual([])
  })

  test('a shared public address with more than two agents shows nobody', async () => {
    for (let i = 0; i < 3; i++) await announce(device(), from('62.12.113.77'))
    expect(await discovered(owner, from('62.12.113.77'))).toEqual([])
  })

  test('an agent that is not on a private address is not listed', async () => {
    const id = device()
    await announce(id, from('62.12.113.50'), { host_or_ip: '8.8.8.8' })
    expect(await discovered(owner, from('62.12.113.50'))).toEqual([])
  })

  test('the hand-shake reaches the agent once, one message a poll', async () => {
    const id = device()
    await announce(id)
    const { code } = await openCode(owner)
    const secret = 'ab'.repeat(32)
    const queue = (body: object) =>
      call(app, 'POST', '/api/v1/printer_discovery/', { cookie: owner.cookie, body })
    expect((await queue({ code, device_id: id, device_secret: secret })).json).toEqual({ queued: true })
    expect((await queue({ code, device_id: id, device_secret: secret })).json).toEqual({ queued: true })
    const message = { device_id: id, type: 'verify_code', data: { code, secret } }
    expect((await announce(id)).json).toEqual({ messages: [message] })
    expect((await announce(id)).json).toEqual({ messages: [] })
  })

  test('an agent that was handed its code is no longer shown', async () => {
    const id = device()
    const seen = async () => (await discovered(owner, from('62.12.113.12'))).map(({ device_id }) => device_id)
    await announce(id, from('62.12.113.12'))
    expect(await seen()).toEqual([id])
    const { code } = await openCode(owner)
    await call(app, 'POST', '/api/v1/printer_discovery/', {
      cookie: owner.cookie,
      headers: from('62.12.113.12'),
      body: { code, device_id: id, device_secret: 'ab'.repeat(32) },
    })
    await announce(id, from('62.12.113.12'))
    expect(await seen()).toEqual([])
  })

  test('a hand-shake needs everything, and a code of the caller’s own', async () => {
    const queue = (body: object) =>
      call(app, 'POST', '/api/v1/printer_discovery/', { cookie: owner.cookie, body })
    expect(await queue({})).toMatchObject({ status: 400, json: { code: 'missing param' } })
    const { code } = await openCode(stranger)
    const body = { code, device_id: device(), device_secret: 'x' }
    expect(await queue(body)).toMatchObject({ status: 400 })
    expect(await queue({ ...body, device_id: 'short' })).toMatchObject({
      status: 400,
      json: { device_id: 'invalid param' },
    })
  })

  test('a household of agents polling every two seconds is never refused, one mad agent is', async () => {
    app.newWindows()
    const mad = device()
    for (let i = 0; i < 3; i++) expect((await announce(device())).status).toBe(200)
    const end = (Math.floor(app.ctx.clock.now() / 3_600_000) + 1) * 3_600_000
    await app.ctx.live.incr(`limit:discovery:127.0.0.1:${mad}:${end}`, 3_600_000, 3600)
    expect((await announce(mad)).status).toBe(429)
    expect((await announce(device())).status).toBe(200)
  })
})
