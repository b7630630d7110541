import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSTHRU_ERRORS } from '@vigil/contract/core/passthru.ts'
import { byServer } from '../access/index.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { openBrowser, type WireBrowser } from '../../../test/wire/browser.ts'
import { topics } from '../presence/names.ts'
import { Passthru } from './index.ts'
import { checkCall } from './passthru.rules.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let printer: { id: number; auth_token: string }
const open: { ws: { close(): void } }[] = []

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  printer = await aPrinter(app, owner)
})
afterEach(() => {
  for (const { ws } of open.splice(0)) ws.close()
})

async function agentOf(name = 'moonraker_obico'): Promise<WireAgent> {
  const agent = await connectAgent(app, printer.auth_token)
  open.push(agent)
  await agent.hear(({ remote_status }) => remote_status !== undefined)
  agent.send({ settings: { agent: { name, version: '2.0.0' } }, status: { _ts: Date.now() / 1000 } })
  await eventually(async () => {
    const { json } = await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })
    return json.agent_name === name || undefined
  })
  return agent
}

async function browser(path = `/ws/web/${printer.id}/`, cookie = owner.cookie): Promise<WireBrowser> {
  const one = await openBrowser(app, path, cookie)
  open.push(one)
  return one
}

const calls = (agent: WireAgent) => agent.heard.flatMap(({ passthru }) => (passthru ? [passthru as any] : []))
const asked = (agent: WireAgent, ref: string | number) =>
  eventually(
    () => calls(agent).find((one) => one.ref === ref),
    60_000,
    () => JSON.stringify(agent.heard),
  )
const answered = (page: WireBrowser, ref: string | number) =>
  page.hear(({ passthru }) => passthru?.ref === ref).then(({ passthru }) => passthru)
const audits = () =>
  app.ctx.db.selectFrom('audit').selectAll().where('printerId', '=', asId(printer.id)).execute()

const JOG = { target: '_printer', func: 'jog', args: [{ x: 10 }] }

describe('a call', () => {
  it('reaches the agent as it is, and the answer only the socket that asked', async () => {
    const agent = await agentOf()
    const [mine, other] = [await browser(), await browser()]
    mine.send({ passthru: { ref: 'r-1', ...JOG, force: true } })
    expect(await asked(agent, 'r-1')).toEqual({ ref: 'r-1', ...JOG, force: true })
    // Apps read what kind of message it is, agents are told it.
    expect(agent.heard.map(({ type }) => type)).toEqual(agent.heard.map(() => 'printer.message'))
    agent.send({ passthru: { ref: 'r-1', ret: { done: [1] }, secret: 1 } })
    expect(await mine.hear(({ passthru }) => passthru?.ref === 'r-1')).toMatchObject({ type: 'web.message' })
    expect(await answered(mine, 'r-1')).toEqual({ ref: 'r-1', ret: { done: [1] } })
    other.send({ passthru: { ref: 2, ...JOG } })
    await asked(agent, 2)
    agent.send({ passthru: { ref: 2, error: 'no' } })
    expect(await answered(other, 2)).toEqual({ ref: 2, error: 'no' })
    expect(mine.heard.some(({ passthru }) => passthru?.ref === 2)).toBe(false)
    expect(other.heard.some(({ passthru }) => passthru?.ref === 'r-1')).toBe(false)
  })

  it('may have a large answer, for the socket that asked alone; what nobody asked for is never large', async () => {
    const agent = await agentOf()
    const [mine, other] = [await browser(), await browser()]
    const picture = 'x'.repeat(900_000)
    mine.send({ passthru: { ref: 'large', target: 'moonraker_api', func: 'server/webcams/list' } })
    await asked(agent, 'large')
    agent.send({ passthru: { terminal_feed: { msg: picture } } })
    agent.send({ passthru: { ref: 'large', ret: { picture }, secret: 1 } })
    agent.send({ passthru: { terminal_feed: { msg: 'after' } } })
    expect(await answered(mine, 'large')).toEqual({ ref: 'large', ret: { picture } })
    await other.hear(({ passthru }) => passthru?.terminal_feed?.msg === 'after')
    const heard = other.heard.flatMap(({ passthru }) => (passthru ? [passthru] : []))
    expect(heard).toEqual([{ terminal_feed: { msg: 'after' } }])
  })

  it('that moves or heats is kept with who asked, without the signatures of addresses', async () => {
    const agent = await agentOf()
    const page = await browser()
    const file = {
      id: 1,
      url: 'https://x.example/a.gcode?digest=secret',
      filename: 'a.gcode',
      safe_filename: 'a.gcode',
      user: 7,
    }
    page.send({ passthru: { ref: 'a', ...JOG } })
    page.send({ passthru: { ref: 'b', target: 'moonraker_api', func: 'server/webcams/list' } })
    page.send({ passthru: { ref: 'c', target: 'file_downloader', func: 'download', args: [file] } })
    expect((await asked(agent, 'c')).args[0]).toEqual({
      id: 1,
      url: file.url,
      filename: 'a.gcode',
      safe_filename: 'a.gcode',
    })
    const rows = await eventually(async () => ((await audits()).length === 2 ? await audits() : undefined))
    expect(
      rows.map(({ action, outcome, actor, userId }) => [action, outcome, actor, userId]).toSorted(),
    ).toEqual([
      ['passthru._printer.jog', 'sent', 'web', owner.id],
      ['passthru.file_downloader.download', 'sent', 'web', owner.id],
    ])
    expect(JSON.stringify(rows)).not.toContain('secret')
  })

  it('is answered at once when nobody is there to take it', async () => {
    const page = await browser()
    page.send({ passthru: { ref: 'x', ...JOG } })
    expect(await answered(page, 'x')).toEqual({
      ref: 'x',
      error: 'Message not passed through. No suitable WebSocket.',
      code: 'offline',
    })
  })

  it('forwards nothing beside the call: no commands, no other keys', async () => {
    const agent = await agentOf()
    const page = await browser()
    page.send({
      commands: [{ cmd: 'cancel', args: {} }],
      passthru: { ref: 'x', ...JOG, commands: [1], janus: 'x' },
      janus: 'x',
    })
    page.send({ commands: [{ cmd: 'cancel', args: {} }] })
    page.send({ 'http.tunnelv2': {} })
    page.send({ passthru: { ref: 'y', ...JOG } })
    expect(await asked(agent, 'x')).toEqual({ ref: 'x', ...JOG })
    await asked(agent, 'y')
    for (const { type: _, ...told } of agent.heard) expect(Object.keys(told)).toHaveLength(1)
    expect(agent.heard.some((told) => 'commands' in told || 'janus' in told || 'http.tunnelv2' in told)).toBe(
      false,
    )
  })

  it('goes once, however often and from wherever it is sent', async () => {
    const agent = await agentOf()
    const [page, other] = [await browser(), await browser()]
    for (let i = 0; i < 5; i++) page.send({ passthru: { ref: 'same', ...JOG } })
    await asked(agent, 'same')
    other.send({ passthru: { ref: 'same', ...JOG } })
    expect(await answered(other, 'same')).toMatchObject({ code: 'repeated' })
    agent.send({ passthru: { ref: 'same', ret: 1 } })
    expect(await answered(page, 'same')).toEqual({ ref: 'same', ret: 1 })
    expect(calls(agent)).toHaveLength(1)
  })

  it('keeps its place in the order', async () => {
    const agent = await agentOf()
    const page = await browser()
    for (let i = 0; i < 30; i++) page.send({ passthru: { ref: `n${i}`, ...JOG } })
    await asked(agent, 'n29')
    expect(calls(agent).map(({ ref }) => ref)).toEqual(Array.from({ length: 30 }, (_, i) => `n${i}`))
  })

  it('too many at once are refused, and the socket stays', async () => {
    const agent = await agentOf()
    const page = await browser()
    for (let i = 0; i < 100; i++) page.send({ passthru: { ref: `t${i}`, ...JOG } })
    expect(await answered(page, 't99')).toMatchObject({ code: 'throttled' })
    expect(calls(agent).length).toBeLessThan(60)
    expect(page.closed).toBeNull()
  })

  it('of an agent’s own accord reaches all sockets of the owner; strange items reach nobody', async () => {
    const agent = await agentOf()
    const pages = [await browser(), await browser()]
    for (const page of pages) await page.hear(({ id }) => id === printer.id)
    agent.send({ passthru: { printer_config: { password: 'x' } } })
    agent.send({ passthru: { ref: 'nobody asked', ret: 1 } })
    agent.send({ passthru: { terminal_feed: { msg: '<b>T:20</b>', _ts: 1 } } })
    for (const page of pages) {
      const { passthru } = await page.hear((frame) => frame['passthru'] !== undefined)
      expect(passthru).toEqual({ terminal_feed: { msg: '<b>T:20</b>', _ts: 1 } })
    }
  })

  it.each([
    '[]',
    'null',
    '7',
    '"x"',
    '{"passthru":',
    '{"passthru":7}',
    '{"passthru":null}',
    '{"passthru":[]}',
    '{"__proto__":1}',
  ])('is not %s; the socket stays', async (text) => {
    const page = await browser()
    page.send(text)
    page.send({ passthru: { ref: 'after', ...JOG } })
    expect(await answered(page, 'after')).toMatchObject({ code: 'offline' })
  })

  it('is not answered for ever: a minute, and the words say so', async () => {
    const said: any[] = []
    await agentOf()
    const talk = new Passthru(app.ctx, {
      printerId: asId(printer.id),
      mayAct: async () => byServer(asId(printer.id)),
      userId: owner.id,
      initiator: 'web',
      agentName: async () => 'moonraker_obico',
      say: (item) => said.push(item),
      timeoutMs: 100,
    })
    talk.ask({ ref: 'slow', ...JOG })
    await eventually(() => said[0])
    expect(said).toEqual([
      {
        ref: 'slow',
        error: 'Failed to contact printer. Is it powered on and connected to Internet?',
        code: 'timeout',
      },
    ])
    talk.hear({ isTerminal: false, read: () => ({ ref: 'slow', ret: 1 }) })
    expect(said).toHaveLength(1)
    talk.close()
  })
})

describe('the token’s socket', () => {
  it('shows the printer and passes calls, as the owner’s does', async () => {
    const agent = await agentOf('octoprint_obico')
    const page = await browser(`/ws/token/web/${printer.auth_token}/`, '')
    await page.hear(({ id }) => id === printer.id)
    page.send({ passthru: { ref: 'x', target: '_printer', func: 'commands', args: [['M18']] } })
    await asked(agent, 'x')
    agent.send({ passthru: { ref: 'x', ret: null } })
    expect(await answered(page, 'x')).toEqual({ ref: 'x', ret: null })
  })

  it('is refused before the upgrade for other tokens, and closed when the token changes', async () => {
    await expect(browser('/ws/token/web/0123456789abcdef0123/', '')).rejects.toThrow('403')
    await expect(browser('/ws/token/web/%00/', '')).rejects.toThrow(/40[034]/)
    const page = await browser(`/ws/token/web/${printer.auth_token}/`, '')
    await page.hear(({ id }) => id === printer.id)
    await app.ctx.db
      .updateTable('printers')
      .set({ authToken: 'f'.repeat(20) })
      .where('id', '=', asId(printer.id))
      .execute()
    app.ctx.live.publish(topics.news(asId(printer.id)), '{"kind":"changed"}')
    await eventually(() => page.closed === 4401 || undefined)
  })
})

const ok = (kind: 'octoprint' | 'klipper', target: string, func: string, more: object = {}) =>
  checkCall(kind, { ref: 'r', target, func, ...more })

describe('the lists', () => {
  it.each([
    ['octoprint', '_printer', 'jog', { args: [{ x: 1, y: -2.5, z: 0 }] }],
    ['octoprint', '_printer', 'home', { args: [['x', 'y']] }],
    ['octoprint', '_printer', 'set_temperature', { args: ['tool0', 200] }],
    ['octoprint', '_printer', 'commands', { args: [['G91', 'G1 E10 F300']] }],
    ['octoprint', '_printer', 'commands', { args: ['M18'] }],
    [
      'octoprint',
      '_printer',
      'select_file',
      { args: ['a/b.gcode', null], kwargs: { printAfterSelect: 'true' } },
    ],
    ['octoprint', '_printer', 'select_file', { args: [['a.gcode', null], { printAfterSelect: 'true' }] }],
    ['octoprint', '_printer', 'get_connection_options', {}],
    ['octoprint', '_printer', 'connect', { args: ['/dev/ttyUSB0', 115200] }],
    ['octoprint', '_printer', 'connect', {}],
    ['octoprint', '_file_manager', 'list_files', { kwargs: { path: 'a', recursive: false, level: 1 } }],
    ['octoprint', 'gcode_hooks', 'toggle_terminal_feed', { args: ['on'] }],
    [
      'octoprint',
      'file_operations',
      'start_printer_local_print',
      { args: [{ url: 'a.gcode', agent_signature: 'ts:1' }] },
    ],
    ['octoprint', 'jpeg_poster', 'web_snapshot_request', { args: ['http://127.0.0.1/snap?x=1'] }],
    ['klipper', '_printer', 'set_temperature', { args: ['heater_bed', 0] }],
    ['klipper', 'moonraker_api', 'printer/gcode/script', { kwargs: { script: 'G91\nG1 X10' } }],
    ['klipper', 'moonraker_api', 'printer/objects/query?gcode_move', { kwargs: { verb: 'get' } }],
    [
      'klipper',
      'moonraker_api',
      'server/files/directory',
      { kwargs: { path: 'gcodes/a b', extended: true } },
    ],
    ['klipper', 'moonraker_api', 'printer/print/start', { kwargs: { verb: 'post', filename: 'a.b.gcode' } }],
    ['klipper', 'moonraker_api', 'machine/device_power/devices', {}],
    [
      'klipper',
      'moonraker_api',
      'machine/device_power/device?device=My printer&action=toggle',
      { kwargs: { verb: 'post' } },
    ],
    ['klipper', 'moonraker_api', 'server/webcams/list', {}],
    ['klipper', 'moonraker_api', 'server/files/metadata', { kwargs: { filename: 'x/y.gcode' } }],
  ] as const)('%s may %s.%s', (kind, target, func, more) => {
    expect(ok(kind, target, func, more)).toMatchObject({
      ok: true,
      call: { ref: 'r', target, func, ...more },
    })
  })

  it.each([
    ['M83\nT0\nG1 E5 F300', ['M83', 'T0', 'G1 E5 F300']],
    ['G28\r\n\r\nM18\n', ['G28', 'M18']],
    [
      ['M83\nG1 E5', 'M82'],
      ['M83', 'G1 E5', 'M82'],
    ],
  ])('many lines of G-code in one text go on as lines: %j', (given, lines) => {
    expect(ok('octoprint', '_printer', 'commands', { args: [given] })).toMatchObject({
      ok: true,
      call: { args: [lines] },
    })
  })

  it.each([
    ['octoprint', '_printer', '__class__', {}, 'not_supported'],
    ['octoprint', '_settings', 'set', { args: [['x'], 'y'] }, 'not_supported'],
    ['octoprint', '_file_manager', 'remove_file', { args: ['local', 'x'] }, 'not_supported'],
    ['octoprint', 'moonraker_api', 'server/webcams/list', {}, 'not_supported'],
    ['octoprint', 'constructor', 'constructor', {}, 'not_supported'],
    ['octoprint', '_printer', 'jog', { args: [{ x: 1e308 }] }, 'invalid'],
    ['octoprint', '_printer', 'jog', { args: [{}] }, 'invalid'],
    ['octoprint', '_printer', 'jog', { args: [{ x: '1' }] }, 'invalid'],
    ['octoprint', '_printer', 'jog', { args: [{ x: 1, speed: 9 }] }, 'invalid'],
    ['octoprint', '_printer', 'jog', { args: [{ x: 1 }], kwargs: { verb: 'post' } }, 'invalid'],
    ['octoprint', '_printer', 'set_temperature', { args: ['tool0', 351] }, 'invalid'],
    ['octoprint', '_printer', 'set_temperature', { args: ['tool0', -1] }, 'invalid'],
    ['klipper', '_printer', 'set_temperature', { args: ['extruder TARGET=400 ;\n', 20] }, 'invalid'],
    ['octoprint', '_printer', 'commands', { args: ['M104 S0\nM117 a\u0000b'] }, 'invalid'],
    ['octoprint', '_printer', 'commands', { args: [`G28\n${'x'.repeat(1001)}`] }, 'invalid'],
    ['octoprint', '_printer', 'commands', { args: ['G28\n'.repeat(101)] }, 'invalid'],
    ['octoprint', '_printer', 'commands', { args: ['\n \n'] }, 'invalid'],
    ['octoprint', '_printer', 'commands', { args: ['G28\rM112'] }, 'invalid'],
    ['octoprint', '_printer', 'commands', { args: ['M117 a\u0000b'] }, 'invalid'],
    ['octoprint', '_printer', 'commands', { args: [['M18']], kwargs: { tags: ['x'] } }, 'invalid'],
    ['octoprint', '_printer', 'select_file', { args: ['../../etc/passwd'] }, 'invalid'],
    ['octoprint', 'jpeg_poster', 'web_snapshot_request', { args: ['file:///etc/passwd'] }, 'invalid'],
    ['octoprint', 'jpeg_poster', 'web_snapshot_request', { args: ['http://'] }, 'invalid'],
    ['octoprint', 'gcode_hooks', 'toggle_terminal_feed', { args: ['boom'] }, 'invalid'],
    ['klipper', '_printer', 'commands', { args: ['M18'] }, 'not_supported'],
    ['klipper', 'moonraker_api', 'printer/gcode/script', { kwargs: { script: '' } }, 'invalid'],
    ['klipper', 'moonraker_api', 'printer/gcode/script', { kwargs: { script: 'G28', x: 1 } }, 'invalid'],
    ['klipper', 'moonraker_api', 'printer.gcode.script', { kwargs: { script: 'G28' } }, 'not_supported'],
    ['klipper', 'moonraker_api', '/printer/gcode/script', { kwargs: { script: 'G28' } }, 'not_supported'],
    ['klipper', 'moonraker_api', 'machine/reboot', { kwargs: { verb: 'post' } }, 'not_supported'],
    [
      'klipper',
      'moonraker_api',
      'server/files/directory',
      { kwargs: { verb: 'post', path: 'gcodes/x' } },
      'not_supported',
    ],
    ['klipper', 'moonraker_api', 'server/files/directory', { kwargs: { path: 'config' } }, 'invalid'],
    [
      'klipper',
      'moonraker_api',
      'server/files/directory',
      { kwargs: { path: 'gcodes/../config' } },
      'invalid',
    ],
    [
      'klipper',
      'moonraker_api',
      'server/files/directory?path=config',
      { kwargs: { path: 'gcodes' } },
      'invalid',
    ],
    ['klipper', 'moonraker_api', 'printer/objects/query?configfile', {}, 'invalid'],
    ['klipper', 'moonraker_api', 'printer/objects/query?gcode_move&configfile', {}, 'invalid'],
    [
      'klipper',
      'moonraker_api',
      'printer/objects/query?gcode_move#/../../machine/reboot',
      {},
      'not_supported',
    ],
    ['klipper', 'moonraker_api', 'printer/print/start', { kwargs: { filename: 'a' } }, 'not_supported'],
    // The agent reads the verb among the parameters alone: anywhere else it would be another call than it seems.
    [
      'klipper',
      'moonraker_api',
      'printer/print/start',
      { verb: 'post', kwargs: { filename: 'a' } },
      'not_supported',
    ],
    ['klipper', 'moonraker_api', 'server/webcams/list', { kwargs: { verb: 'delete' } }, 'not_supported'],
    ['klipper', 'moonraker_api', 'server/webcams/list', { kwargs: { verb: ['get'] } }, 'not_supported'],
    [
      'klipper',
      'moonraker_api',
      'machine/device_power/device?device=a&action=explode',
      { kwargs: { verb: 'post' } },
      'invalid',
    ],
    [
      'klipper',
      'moonraker_api',
      'machine/device_power/device?device=a%0Ab&action=on',
      { kwargs: { verb: 'post' } },
      'invalid',
    ],
    [
      'klipper',
      'moonraker_api',
      'machine/device_power/device?device=a&device=b&action=on',
      { kwargs: { verb: 'post' } },
      'not_supported',
    ],
  ] as const)('%s may not %s.%s %j', (kind, target, func, more, why) => {
    expect(ok(kind, target, func, more)).toMatchObject({ ok: false, ref: 'r', why })
  })

  it('has ends', () => {
    expect(ok('klipper', 'moonraker_api', 'x'.repeat(301))).toMatchObject({ ok: false, why: 'invalid' })
    const script = 'x'.repeat(10_241)
    expect(ok('klipper', 'moonraker_api', 'printer/gcode/script', { kwargs: { script } })).toMatchObject({
      ok: false,
      why: 'invalid',
    })
    expect(checkCall('klipper', { ...JOG, ref: 'x'.repeat(201) })).toEqual({
      ok: false,
      ref: null,
      why: 'invalid',
    })
  })

  it.each([{ ref: '' }, { ref: {} }, { ref: null }, {}])('wants a ref: %j', (ref) => {
    expect(checkCall('klipper', { ...JOG, ...ref })).toEqual({ ok: false, ref: null, why: 'invalid' })
  })

  it('says in the catalogue’s words what went wrong', () => {
    expect(PASSTHRU_ERRORS.offline).toBe('Message not passed through. No suitable WebSocket.')
  })
})
