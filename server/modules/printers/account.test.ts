import { setTimeout as sleep } from 'node:timers/promises'
import { accountFrameOut } from '@vigil/contract/sockets.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../test/wire/agent.ts'
import { openBrowser, type WireBrowser } from '../../test/wire/browser.ts'
import { keys, topics } from '../commands/keys.ts'
import { replace, update } from './patch.rules.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
let first: { id: number; auth_token: string }
let second: { id: number; auth_token: string }
const open: { ws: { close(): void } }[] = []

beforeAll(async () => {
  app = await buildTestApp()
  stranger = await aUser(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await aUser(app)
  first = await aPrinter(app, owner, 'First')
  second = await aPrinter(app, owner, 'Second')
})
afterEach(() => {
  for (const { ws } of open.splice(0)) ws.close()
})

async function browser(): Promise<WireBrowser> {
  const one = await openBrowser(app, '/ws/web/all/', owner.cookie)
  open.push(one)
  return one
}

async function agentOf(token: string): Promise<WireAgent> {
  const agent = await connectAgent(app, token)
  open.push(agent)
  await agent.hear(({ remote_status }) => remote_status !== undefined)
  return agent
}

/** What the browser holds after all that it heard, put together as contract/sockets.ts says. */
function held(page: WireBrowser): Map<number, any> {
  const printers = new Map<number, any>()
  for (const frame of page.heard) {
    expect(accountFrameOut.safeParse(frame).error).toBeUndefined()
    for (const printer of frame['printers'] ?? []) printers.set(printer.id, printer)
    for (const { id, patch } of frame['patches'] ?? []) {
      const before = printers.get(id)
      const { status, ...rest } = patch
      const merged = status === undefined ? before.status : status && { ...before.status, ...status }
      printers.set(id, { ...before, ...rest, status: merged })
    }
    for (const id of frame['gone'] ?? []) printers.delete(id)
  }
  return printers
}
const holds = (page: WireBrowser, id: number, test: (printer: any) => boolean) =>
  eventually(
    () => (held(page).has(id) && test(held(page).get(id))) || undefined,
    6_000,
    () => JSON.stringify(page.heard).slice(-2_000),
  )
const shown = async (id: number) =>
  (await call(app, 'GET', `/api/v1/printers/${id}/`, { cookie: owner.cookie })).json

const status = (more: object = {}) => ({
  _ts: Date.now() / 1000,
  state: { text: 'Operational', flags: { ready: true } },
  file_metadata: { big: 'x'.repeat(3_000) },
  ...more,
})

describe('the account’s socket', () => {
  it('tells each watched printer in full, others never, and what is not one’s own is gone', async () => {
    const theirs = await aPrinter(app, stranger)
    const page = await browser()
    page.send({ watch: [first.id, theirs.id, 2_000_000_000] })
    await holds(page, first.id, ({ name }) => name === 'First')
    await page.hear(({ gone }) => gone?.includes(theirs.id) && gone.includes(2_000_000_000))
    expect([...held(page).keys()]).toEqual([first.id])
    const { agent: _, ...rest } = held(page).get(first.id)
    expect(await shown(first.id)).toMatchObject(rest)
    expect(JSON.stringify(page.heard)).not.toContain(theirs.auth_token)
  })

  it('then only what changes, put together to what REST says', async () => {
    const page = await browser()
    page.send({ watch: [first.id, second.id] })
    await holds(page, second.id, () => true)
    const agent = await agentOf(first.auth_token)
    agent.send({ status: status({ n: 1, gone: 'soon' }) })
    await holds(page, first.id, (printer) => printer.status?.n === 1)
    const from = page.heard.length
    agent.send({ status: status({ n: 2 }) })
    await holds(page, first.id, (printer) => printer.status?.n === 2)
    const texts = JSON.stringify(page.heard.slice(from))
    expect(texts).not.toContain('file_metadata')
    expect(texts.length).toBeLessThan(600)
    expect(held(page).get(first.id).status.gone).toBeNull()
    await call(app, 'PATCH', `/api/v1/printers/${first.id}/`, {
      cookie: owner.cookie,
      body: { name: 'Other' },
    })
    await holds(page, first.id, ({ name }) => name === 'Other')
    const { agent: told, status: held1, ...rest } = held(page).get(first.id)
    const rest1 = await shown(first.id)
    expect(rest1).toMatchObject(rest)
    expect(rest1.agent.state).toBe(told.state)
    expect({ ...held1, gone: undefined }).toEqual({ ...rest1.status, gone: undefined })
    agent.ws.close()
    await holds(page, first.id, (printer) => printer.status === null && printer.agent.state === 'offline')
  })

  it('a second apart at least, and the last word is always told', async () => {
    const page = await browser()
    page.send({ watch: [first.id] })
    await holds(page, first.id, () => true)
    const agent = await agentOf(first.auth_token)
    const began = Date.now()
    for (let n = 0; n < 60; n++) {
      agent.send({ status: status({ n }) })
      await sleep(30)
    }
    await holds(page, first.id, (printer) => printer.status?.n === 59)
    const patches = page.heard.flatMap(({ patches }) => patches ?? [])
    expect(patches.length).toBeLessThanOrEqual((Date.now() - began) / 1000 + 3)
  })

  it('agents hear of a viewer only while their card is on screen', async () => {
    const [a, b] = [await agentOf(first.auth_token), await agentOf(second.auth_token)]
    const page = await browser()
    page.send({ watch: [first.id, second.id], viewing: [second.id] })
    await b.hear(({ remote_status }) => remote_status?.viewing === true)
    page.send({ viewing: [first.id] })
    await a.hear(({ remote_status }) => remote_status?.viewing === true)
    await eventually(() => b.heard.at(-1)?.remote_status?.viewing === false || undefined)
    page.ws.close()
    await eventually(() => a.heard.at(-1)?.remote_status?.viewing === false || undefined)
  })

  it('a page that cannot make up its mind does not drive its agents mad', async () => {
    const agent = await agentOf(first.auth_token)
    const page = await browser()
    for (let i = 0; i < 400; i++) {
      page.send({ watch: [first.id], viewing: i % 2 === 0 ? [first.id] : [] })
      if (i % 10 === 0) await sleep(20)
    }
    await sleep(500)
    expect(agent.heard.length).toBeLessThan(20)
    expect(agent.heard.at(-1)?.remote_status?.viewing).toBe(false)
  })

  it('passes calls to the one that is named, and answers with its id', async () => {
    const [a, b] = [await agentOf(first.auth_token), await agentOf(second.auth_token)]
    const page = await browser()
    page.send({ watch: [first.id, second.id] })
    await holds(page, second.id, () => true)
    page.send({ id: second.id, passthru: { ref: 'r', target: '_printer', func: 'home', args: [['x']] } })
    await b.hear(({ passthru }) => passthru !== undefined)
    b.send({ passthru: { terminal_feed: { msg: 'ok' } } })
    b.send({ passthru: { ref: 'r', ret: null } })
    expect(await page.hear(({ passthru }) => passthru !== undefined)).toEqual({
      id: second.id,
      passthru: { ref: 'r', ret: null },
    })
    a.send({ passthru: { printer_event: { event_title: 'Hot' } } })
    await page.hear(({ id, passthru }) => id === first.id && passthru.printer_event.event_title === 'Hot')
    expect(a.heard.some(({ passthru }) => passthru)).toBe(false)
    const theirs = await aPrinter(app, stranger)
    const foreign = await agentOf(theirs.auth_token)
    page.send({ id: theirs.id, passthru: { ref: 'q', target: '_printer', func: 'home', args: [['x']] } })
    await sleep(200)
    expect(foreign.heard.some(({ passthru }) => passthru)).toBe(false)
  })

  it('a deleted printer is gone, its token is heard no more; the socket stays for the others', async () => {
    const page = await browser()
    page.send({ watch: [first.id, second.id] })
    await holds(page, second.id, () => true)
    await call(app, 'DELETE', `/api/v1/printers/${first.id}/`, { cookie: owner.cookie })
    await page.hear(({ gone }) => gone?.includes(first.id))
    page.send({ watch: [second.id, first.id] })
    await call(app, 'PATCH', `/api/v1/printers/${second.id}/`, {
      cookie: owner.cookie,
      body: { name: 'Still' },
    })
    await holds(page, second.id, ({ name }) => name === 'Still')
    expect(page.closed).toBeNull()
  })

  it('what is not watched any more is silent', async () => {
    const page = await browser()
    page.send({ watch: [first.id, second.id] })
    await holds(page, second.id, () => true)
    page.send({ watch: [second.id] })
    await sleep(400)
    const from = page.heard.length
    await call(app, 'PATCH', `/api/v1/printers/${first.id}/`, {
      cookie: owner.cookie,
      body: { name: 'Unheard' },
    })
    await call(app, 'PATCH', `/api/v1/printers/${second.id}/`, {
      cookie: owner.cookie,
      body: { name: 'Heard' },
    })
    await holds(page, second.id, ({ name }) => name === 'Heard')
    expect(JSON.stringify(page.heard.slice(from))).not.toContain('Unheard')
  })

  it('ends with the session; hostile frames harm nothing', async () => {
    const page = await browser()
    for (const text of [
      '7',
      '[]',
      '{"watch":7}',
      '{"watch":[-1]}',
      `{"watch":[${'1,'.repeat(2000)}1]}`,
      '{"viewing":"all"}',
      '{',
    ])
      page.send(text)
    page.send({ watch: [first.id] })
    await holds(page, first.id, () => true)
    await call(app, 'POST', '/api/v1/auth/logout/', { cookie: owner.cookie })
    await eventually(() => page.closed === 4401 || undefined)
  })

  it('age changes what is claimed, without any news', async () => {
    const page = await browser()
    const seenAt = app.ctx.clock.now()
    await app.ctx.live.put(
      keys.agent(first.id),
      JSON.stringify({ state: 'connected', seenAt, epoch: 1 }),
      600_000,
    )
    page.send({ watch: [first.id] })
    await holds(page, first.id, (printer) => printer.agent.state === 'connected')
    app.advance(61_000)
    await holds(page, first.id, (printer) => printer.agent.state === 'not_responding')
  })

  it('200 printers with a status a second each cost little', async () => {
    const ids: number[] = []
    for (let i = 0; i < 200; i++) ids.push((await aPrinter(app, owner, `P${i}`)).id)
    const seenAt = app.ctx.clock.now()
    for (const id of ids)
      await app.ctx.live.put(
        keys.agent(id),
        JSON.stringify({ state: 'connected', seenAt, epoch: 1 }),
        600_000,
      )
    const page = await browser()
    page.send({ watch: ids })
    await eventually(
      () => page.heard.flatMap(({ printers }) => printers ?? []).length === 200 || undefined,
      10_000,
    )
    page.ws.removeAllListeners('message')
    let bytes = 0
    page.ws.on('message', (data: Buffer) => (bytes += data.length))
    const metadata = {
      obico: { totalLayerCount: 200 },
      analysis: { printingArea: { maxZ: 20 } },
      thumbnails: 'x'.repeat(800),
    }
    const idle = process.cpuUsage()
    await sleep(1_500)
    const rest = process.cpuUsage(idle)
    const start = process.cpuUsage()
    const SECONDS = 4
    const turn = setInterval(() => {
      for (const id of ids.splice(0, 20)) {
        ids.push(id)
        const now = Date.now() / 1000
        const one = {
          _ts: now,
          state: { text: 'Printing', flags: { printing: true, operational: true } },
          job: { file: { name: 'a.gcode', path: 'a.gcode' } },
          progress: { completion: now % 100, printTime: now % 1000, printTimeLeft: 10 },
          temperatures: {
            extruder: { actual: now % 200, target: 200, offset: 0 },
            heater_bed: { actual: 60, target: 60, offset: 0 },
          },
          currentZ: now % 20,
          file_metadata: metadata,
        }
        app.ctx.live.publish(topics.news(id), `{"kind":"status","status":${JSON.stringify(one)}}`)
      }
    }, 100)
    await sleep(SECONDS * 1_000)
    clearInterval(turn)
    const used = process.cpuUsage(start)
    const busy = (used.user + used.system) / SECONDS - (rest.user + rest.system) / 1.5
    const perStatus = busy / 200
    process.stderr.write(
      `account socket: ${perStatus.toFixed(0)} µs and ${(bytes / SECONDS / 200).toFixed(0)} bytes a status\n`,
    )
    expect(perStatus).toBeLessThan(1_000)
    expect(bytes / SECONDS / 200).toBeLessThan(1_000)
  }, 40_000)
})

describe('what a browser holds', () => {
  it('changes by what differs, and by nothing else', () => {
    const one = new Map<string, string>()
    expect(update(one, { a: 1, b: { c: [1] } })).toBe('"a":1,"b":{"c":[1]}')
    expect(update(one, { a: 1, b: { c: [1] } })).toBe('')
    expect(update(one, { b: { c: [2] } })).toBe('"b":{"c":[2]}')
    expect(replace(one, { b: { c: [2] } })).toBe('"a":null')
    expect(replace(one, { b: 1, x: undefined })).toBe('"b":1')
  })
})
