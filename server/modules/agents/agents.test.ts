import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../test/app.ts'
import { countQueries } from '../../test/queries.ts'
import { connectAgent, eventually, type WireAgent } from '../../test/wire/agent.ts'
import { addViewer, sendCommand, sendMessage } from '../commands/index.ts'
import { keys, topics } from '../commands/keys.ts'

let app: TestApp
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
const agents: WireAgent[] = []

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  printer = await aPrinter(app, owner)
})
afterEach(() => {
  for (const agent of agents.splice(0)) agent.ws.terminate()
})

async function connect(options: { autoPong?: boolean } = {}): Promise<WireAgent> {
  const agent = await connectAgent(app, printer.auth_token, options)
  agents.push(agent)
  return agent
}

/** A connected agent that has been greeted. */
async function greeted(): Promise<WireAgent> {
  const agent = await connect()
  await agent.hear((message) => 'remote_status' in message)
  return agent
}

const seconds = () => app.ctx.clock.now() / 1000

function status(change: Record<string, unknown> = {}, printing = true) {
  return {
    _ts: seconds(),
    state: { text: printing ? 'Printing' : 'Operational', flags: { printing, paused: false }, error: null },
    job: { file: { name: 'ring.gcode', path: 'ring.gcode' } },
    progress: { completion: 10, printTime: 60, printTimeLeft: 600, filamentUsed: 12 },
    temperatures: {
      extruder: { actual: 150, target: 200, offset: 0 },
      mcu: { actual: 40, target: null, offset: 0 },
    },
    ...change,
  }
}

const live = async (key: string) => {
  const stored = await app.ctx.live.get(key)
  return stored && JSON.parse(stored.toString())
}
const shown = () => live(keys.status(printer.id))
const record = () => live(keys.agent(printer.id))
const prints = () =>
  app.ctx.db.selectFrom('prints').selectAll().where('printerId', '=', printer.id).orderBy('id').execute()
const events = () =>
  app.ctx.db
    .selectFrom('printerEvents')
    .selectAll()
    .where('printerId', '=', printer.id)
    .orderBy('id')
    .execute()
const codes = async () => (await events()).map(({ code }) => code)

describe('the socket', () => {
  it('refuses a bad token before the upgrade', async () => {
    await expect(connectAgent(app, 'nobody')).rejects.toThrow('refused 403')
  })

  it('greets with remote_status and waits for the first report', async () => {
    const agent = await connect()
    expect(await agent.hear(() => true)).toEqual({ remote_status: { viewing: false, should_watch: false } })
    await eventually(async () => ((await record())?.state === 'waiting' ? true : undefined))
    agent.send({})
    agent.send({ current_print_ts: -1, status: status({}, false) })
    await eventually(async () => ((await record())?.state === 'connected' ? true : undefined))
    expect((await shown()).state.text).toBe('Operational')
    agent.close()
    await eventually(async () => ((await record()) === null ? true : undefined))
    expect(await shown()).toBeNull()
  })

  it('says when it was last seen after it has left', async () => {
    const agent = await greeted()
    agent.close()
    const path = `/api/v1/printers/${printer.id}/`
    const seen = await eventually(
      async () =>
        ((await call(app, 'GET', path, { cookie: owner.cookie })).json.agent.last_seen_at as string | null) ??
        undefined,
    )
    expect(Math.abs(app.ctx.clock.now() - Date.parse(seen))).toBeLessThan(10_000)
  })

  it('survives frames that are nothing', async () => {
    const agent = await greeted()
    for (const frame of [
      '',
      'null',
      '[]',
      '{',
      '"x"',
      '{"status":7,"event":[],"settings":"x","current_print_ts":"1"}',
      'NaN',
    ])
      agent.sendRaw(frame)
    for (const frame of [
      Buffer.alloc(0),
      Buffer.from([1]),
      Buffer.from('ffffff7f03', 'hex'),
      Buffer.from('{"status":'),
    ])
      agent.sendRaw(frame)
    agent.sendRaw('{"__proto__":{"polluted":1},"status":{"__proto__":{"polluted":1},"_ts":1}}')
    agent.sendRaw(JSON.stringify({ current_print_ts: -1, status: status({ x: 'y'.repeat(10_000_000) }) }))
    agent.sendRaw(
      `{"status":{"_ts":${seconds()},"currentZ":NaN,"a":-Infinity,"text":"NaN, Infinity"},"current_print_ts":-1}`,
    )
    const kept = await eventually(async () => (await shown())?.text && (await shown()))
    expect(kept).toMatchObject({ currentZ: null, a: null, text: 'NaN, Infinity' })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(agent.closed).toBeNull()
  })

  it('is closed at once when the printer goes, and never with 4321', async () => {
    const agent = await greeted()
    expect(
      (await call(app, 'DELETE', `/api/v1/printers/${printer.id}/`, { token: owner.token })).status,
    ).toBe(204)
    expect(await agent.end()).toBe(4401)
  })

  it('cuts a second connection only when the first one provably lives', async () => {
    const elder = await greeted()
    const twin = await connect()
    expect(await twin.end()).toBe(4321)
    expect(twin.heard).toEqual([])
    await expect(connect()).rejects.toThrow('refused 403')
    expect(elder.closed).toBeNull()
    await eventually(async () => ((await codes()).includes('agent_shared_token') ? true : undefined))
    elder.ws.terminate()
    await eventually(async () => ((await record()) === null ? true : undefined))
    await greeted()
  })

  it('replaces a dead socket without a close frame', async () => {
    const dead = await connect({ autoPong: false })
    await dead.hear(() => true)
    const next = await connect()
    await next.hear((message) => 'remote_status' in message, 8_000)
    expect(await dead.end()).toBe(1006)
    await eventually(async () => ((await record())?.state === 'waiting' ? true : undefined))
  })

  it('tells of an agent that has gone silent, and cuts it at last', async () => {
    const agent = await connect({ autoPong: false })
    await agent.hear(() => true)
    agent.send({ current_print_ts: -1, status: status({}, false) })
    await eventually(async () => ((await record())?.state === 'connected' ? true : undefined))
    app.advance(61_000)
    await eventually(async () => ((await record())?.state === 'not_responding' ? true : undefined))
    expect(agent.closed).toBeNull()
    app.advance(90_000)
    expect(await agent.end()).toBe(1006)
    await eventually(async () => ((await record()) === null ? true : undefined))
  })

  it('flags an agent that answers pings and reports nothing', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: -1, status: status({}, false) })
    for (let i = 0; i < 6; i++) {
      app.advance(40_000)
      agent.sendRaw('{"passthru":{"terminal_feed":{"msg":"x"}}}')
      await sleep(1_100)
    }
    await eventually(async () => (await record())?.needsRestart || undefined)
    await eventually(async () => ((await codes()).includes('agent_needs_restart') ? true : undefined))
    expect(agent.closed).toBeNull()
  })
})

describe('statuses', () => {
  it('run no SQL when nothing has changed', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: 1700000000, status: status() })
    await eventually(async () => ((await prints()).length === 1 ? true : undefined))
    await eventually(async () =>
      (
        await app.ctx.db
          .selectFrom('heaterTrackers')
          .selectAll()
          .where('printerId', '=', printer.id)
          .execute()
      ).length === 1
        ? true
        : undefined,
    )
    const queries = await countQueries(app, async () => {
      for (let i = 0; i < 50; i++) {
        agent.send({
          current_print_ts: 1700000000,
          status: status({ progress: { completion: 10 + i, printTime: i } }),
        })
        agent.send({ passthru: { terminal_feed: { msg: 'T:200' } } })
      }
      await eventually(async () => ((await shown())?.progress.printTime === 49 ? true : undefined))
    })
    expect(queries).toEqual([])
  })

  it('never freeze a printer whose clock was a day ahead', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: -1, status: status({ _ts: seconds() + 86_400, n: 1 }, false) })
    await eventually(async () => ((await shown())?.n === 1 ? true : undefined))
    expect((await shown())._ts).toBeLessThan(seconds() + 1)
    await sleep(30)
    agent.send({ current_print_ts: -1, status: status({ n: 2 }, false) })
    await eventually(async () => ((await shown())?.n === 2 ? true : undefined))
  })

  it('that come in a stale burst are not shown, but their events count', async () => {
    const agent = await greeted()
    const ts = 1700000100
    agent.send({ current_print_ts: ts, status: status({ n: 'fresh' }) })
    await eventually(async () => ((await prints()).length === 1 ? true : undefined))
    const past = seconds() - 600
    for (let i = 0; i < 50; i++) {
      const event = i === 40 ? { event: { event_type: 'PrintPaused' } } : {}
      agent.send({ current_print_ts: i < 5 ? -1 : ts, status: status({ _ts: past + i, n: i }), ...event })
    }
    await eventually(async () => ((await codes()).includes('print_paused') ? true : undefined))
    expect((await shown()).n).toBe('fresh')
    const [print] = await prints()
    expect(print?.cancelledAt).toBeNull()
  })

  it('empty ones mean offline, and cost nothing when repeated', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: 1700000200, status: status() })
    await eventually(async () => ((await prints()).length === 1 ? true : undefined))
    await eventually(shown)
    const queries = await countQueries(app, async () => {
      for (let i = 0; i < 100; i++) agent.send({})
      await eventually(async () => ((await shown()) === null ? true : undefined))
    })
    expect(queries).toEqual([])
    const { json } = await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { token: owner.token })
    expect(json).toMatchObject({ status: null, current_print: { ended_at: null } })
  })
})

describe('settings', () => {
  it('are merged: null webcams never wipe, an old agent is known', async () => {
    const agent = await greeted()
    const webcams = [
      {
        name: '',
        is_primary_camera: true,
        stream_mode: 'mjpeg_webrtc',
        stream_id: 2,
        flipV: false,
        flipH: true,
        rotation: 90,
        streamRatio: '4:3',
      },
    ]
    agent.send({
      settings: {
        webcams,
        data_channel_id: 389,
        agent: { name: 'moonraker_obico', version: '2.1.4' },
        temperature: { profiles: [] },
      },
    })
    agent.send({
      settings: {
        webcams: null,
        data_channel_id: null,
        agent: { name: 'moonraker_obico', version: '2.1.4' },
        installed_plugins: ['mainsail'],
      },
    })
    agent.send({})
    const read = async () =>
      (await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { token: owner.token })).json
    const shownPrinter = await eventually(async () => {
      const json = await read()
      return json.settings.installed_plugins ? json : undefined
    })
    expect(shownPrinter).toMatchObject({
      agent_name: 'moonraker_obico',
      agent_version: '2.1.4',
      settings: { webcams, data_channel_id: '389', webcam_flipH: true, webcam_rotation: 90, ratio169: false },
    })
    agent.send({
      octoprint_settings: { webcam: { flipV: true, rotate90: true }, tsd_plugin_version: '1.5.0' },
      octoprint_data: status({}, false),
      current_print_ts: -1,
    })
    await eventually(async () => ((await read()).agent_name === 'octoprint_obico' ? true : undefined))
    expect((await read()).settings).toMatchObject({
      webcam_flipV: true,
      webcam_rotate90: true,
      webcam_streamRatio: '16:9',
    })
  })
})

describe('prints', () => {
  it('start from a plain status, and a cancel is one cancelled print', async () => {
    const agent = await greeted()
    const ts = 1700000300
    agent.send({ current_print_ts: ts, status: status() })
    expect(await agent.hear((message) => message.remote_status?.should_watch === true)).toEqual({
      remote_status: { should_watch: true },
    })
    agent.send({
      current_print_ts: ts,
      status: status({ progress: { completion: 40, printTime: 100, filamentUsed: 50 } }),
      event: { event_type: 'PrintCancelled' },
    })
    agent.send({
      current_print_ts: ts,
      status: status({ progress: { completion: 0 } }),
      event: { event_type: 'PrintFailed' },
    })
    agent.send({ current_print_ts: ts, status: status() })
    agent.send({ current_print_ts: -1, status: status({}, false) })
    await agent.hear(
      (message) =>
        message.remote_status?.should_watch === false && message.remote_status.viewing === undefined,
    )
    await eventually(async () => ((await codes()).length === 2 ? true : undefined))
    const [print, ...others] = await prints()
    expect(others).toEqual([])
    expect(print).toMatchObject({
      filename: 'ring.gcode',
      extId: ts,
      printTime: 100,
      filamentUsed: 50,
      finishedAt: null,
    })
    expect(print?.cancelledAt).not.toBeNull()
    expect(await codes()).toEqual(['print_started', 'print_cancelled'])
    const user = await app.ctx.db
      .selectFrom('users')
      .select('unseenPrinterEvents')
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow()
    expect(user.unseenPrinterEvents).toBeGreaterThanOrEqual(2)
  })

  it('that vanish with their OctoPrint are lost, not finished', async () => {
    const agent = await greeted()
    agent.send({
      current_print_ts: 1700000400,
      status: status({ progress: { completion: 42, printTime: 500 } }),
    })
    agent.send({
      current_print_ts: -1,
      status: status({ job: { file: { name: null } }, progress: {} }, false),
    })
    const ended = await eventually(async () =>
      (await events()).find(({ eventType }) => eventType === 'ENDED'),
    )
    expect(ended).toMatchObject({
      code: 'print_lost',
      eventClass: 'WARNING',
      params: { progress: '42%', seconds: 500, file: 'ring.gcode' },
    })
    expect((await prints())[0]).toMatchObject({ finishedAt: null, printTime: 500 })
  })

  it('take a file of their owner only', async () => {
    const agent = await greeted()
    const file = await call(app, 'POST', '/api/v1/octo/g_code_files/', {
      agent: printer.auth_token,
      body: {
        filename: 'a.gcode',
        safe_filename: 'a.gcode',
        num_bytes: 5,
        agent_signature: 'ts:1.5',
        url: 'x/a.gcode',
      },
    })
    const stranger = await aUser(app)
    const foreign = await app.ctx.db
      .insertInto('gCodeFiles')
      .values({ userId: stranger.id, filename: 'b', safeFilename: 'b' })
      .returning('id')
      .executeTakeFirstOrThrow()
    agent.send({
      current_print_ts: 1700000500,
      status: status({ job: { file: { name: 'a.gcode', obico_g_code_file_id: foreign.id } } }),
    })
    await eventually(async () => ((await prints()).length === 1 ? true : undefined))
    expect((await prints())[0]?.gCodeFileId).toBeNull()
    agent.send({
      current_print_ts: 1700000500,
      status: status({ job: { file: { name: 'a.gcode', obico_g_code_file_id: file.json.id } } }),
    })
    await eventually(async () => ((await prints())[0]?.gCodeFileId === file.json.id ? true : undefined))
  })

  it('are listed for their owner alone', async () => {
    const agent = await greeted()
    agent.send({ current_print_ts: 1700000600, status: status() })
    await eventually(async () => ((await prints()).length === 1 ? true : undefined))
    const [row] = await prints()
    const list = await call(app, 'GET', `/api/v1/prints/?filter_by_printer_ids[]=${printer.id}`, {
      token: owner.token,
    })
    expect(list.json).toMatchObject([
      { id: row?.id, filename: 'ring.gcode', ended_at: null, printer: { id: printer.id } },
    ])
    const stranger = await aUser(app)
    expect((await call(app, 'GET', `/api/v1/prints/${row?.id}/`, { token: stranger.token })).status).toBe(404)
    expect((await call(app, 'GET', `/api/v1/prints/${row?.id}/`, { token: owner.token })).json.id).toBe(
      row?.id,
    )
  })
})

describe('commands', () => {
  const command = (change: Partial<Parameters<typeof sendCommand>[1]> = {}) =>
    sendCommand(app.ctx, {
      printerId: printer.id,
      printId: null,
      cmd: 'pause',
      args: { retract: 6.5 },
      initiator: 'web',
      userId: owner.id,
      ...change,
    })
  const outcomes = async () =>
    (
      await app.ctx.db
        .selectFrom('audit')
        .selectAll()
        .where('printerId', '=', printer.id)
        .orderBy('id')
        .execute()
    ).map(({ outcome }) => outcome)

  it('reach a live agent, and only for the print they are meant for', async () => {
    expect(await command()).toEqual({ sent: false, reason: 'offline' })
    const agent = await greeted()
    agent.send({ current_print_ts: 1700000700, status: status() })
    const print = await eventually(async () => (await prints())[0])
    await agent.hear((message) => message.remote_status?.should_watch === true)
    expect(await command({ printId: print.id })).toMatchObject({ sent: true })
    expect(await agent.hear((message) => 'commands' in message)).toEqual({
      commands: [{ cmd: 'pause', args: { retract: 6.5 }, initiator: 'web' }],
    })
    expect(await command({ printId: print.id + 1 })).toEqual({ sent: false, reason: 'other_print' })
    expect(await command({ expiresInMs: -1 })).toEqual({ sent: false, reason: 'expired' })
    expect(await outcomes()).toEqual(['offline', 'sent', 'other_print', 'expired'])
  })

  it('are not sent to an agent not heard from for 30 s, nor kept for it', async () => {
    const agent = await connect({ autoPong: false })
    await agent.hear(() => true)
    await eventually(record)
    app.advance(31_000)
    expect(await command()).toEqual({ sent: false, reason: 'not_responding' })
    await sleep(100)
    expect(agent.heard.filter((message) => 'commands' in message)).toEqual([])
  })

  it('of a stale holder are refused', async () => {
    await greeted()
    const before = await eventually(record)
    await app.ctx.live.claim(keys.socket(printer.id), 'somebody else', 60_000)
    expect(await command()).toEqual({ sent: false, reason: 'stale_holder' })
    await app.ctx.live.put(
      keys.agent(printer.id),
      JSON.stringify({ ...before, epoch: before.epoch + 1 }),
      60_000,
    )
    expect(await command()).toEqual({ sent: false, reason: 'not_responding' })
  })
})

describe('viewers', () => {
  it('make the agent look: each comer, and the last one’s leaving', async () => {
    const agent = await greeted()
    const views = () => agent.heard.flatMap((message) => message.remote_status?.viewing ?? [])
    await eventually(record)
    const first = await addViewer(app.ctx, printer.id)
    await eventually(() => (views().length === 2 ? true : undefined))
    const second = await addViewer(app.ctx, printer.id)
    await eventually(() => (views().length === 3 ? true : undefined))
    first()
    second()
    await eventually(() => (views().length === 4 ? true : undefined))
    expect(views()).toEqual([false, true, true, false])
  })

  it('that were there first are told to an agent that comes', async () => {
    const leave = await addViewer(app.ctx, printer.id)
    const agent = await connect()
    expect(await agent.hear(() => true)).toMatchObject({ remote_status: { viewing: true } })
    leave()
  })

  it('see passthru items and events of the printer', async () => {
    const seen: string[] = []
    const stop = await app.ctx.live.subscribe(topics.passthru(printer.id), (message) =>
      seen.push(message.toString()),
    )
    const agent = await greeted()
    agent.send({ passthru: { terminal_feed: { msg: 'T:20', _ts: 1 } }, status: { injected: true } })
    agent.send({ current_print_ts: 1700000800, status: status() })
    await eventually(() => (seen.length === 2 ? true : undefined), 8_000)
    expect(JSON.parse(seen[0] ?? '')).toEqual({ passthru: { terminal_feed: { msg: 'T:20', _ts: 1 } } })
    expect(JSON.parse(seen[1] ?? '')).toMatchObject({
      passthru: {
        printer_event: {
          event_title: 'Print Job Started',
          event_text: 'Ender started printing ring.gcode.',
          event_class: 'INFO',
          event_type: 'STARTED',
        },
      },
    })
    stop()
  })
})

describe('a hurt server', () => {
  it('holds the agent while the database is away, and catches up without duplicates', async () => {
    const agent = await greeted()
    const restore = breakDatabase()
    agent.send({ current_print_ts: 1700000900, status: status({ n: 'away' }) })
    agent.send({ current_print_ts: 1700000900, status: status({}), event: { event_type: 'PrintPaused' } })
    agent.send({
      current_print_ts: 1700000900,
      status: status({ progress: { completion: 100, printTime: 70 } }),
      event: { event_type: 'PrintDone' },
    })
    agent.send({ current_print_ts: -1, status: status({ n: 'done' }, false) })
    await eventually(async () => ((await shown())?.n === 'done' ? true : undefined))
    restore()
    await eventually(async () => ((await codes()).length === 3 ? true : undefined), 8_000)
    expect(await codes()).toEqual(['print_started', 'print_paused', 'print_finished'])
    expect(await prints()).toHaveLength(1)
    expect(agent.closed).toBeNull()
  })

  it('cuts a socket that takes nothing any more, and sends it no command meanwhile', async () => {
    const agent = await greeted()
    await eventually(record)
    ;(agent.ws as unknown as { _socket: { pause(): void } })._socket.pause()
    const message = sendMessage(app.ctx, printer.id, { filler: 'x'.repeat(12_000_000) })
    await sleep(200)
    const { sent } = await sendCommand(app.ctx, {
      printerId: printer.id,
      printId: null,
      cmd: 'cancel',
      args: {},
      initiator: 'system',
      userId: null,
    })
    expect(sent).toBe(false)
    expect(await message).toEqual({ sent: false, reason: 'not_responding' })
    await eventually(async () => ((await record()) === null ? true : undefined))
  })
})

/** Every connection fails until the returned function is called. */
function breakDatabase(): () => void {
  const executor = app.ctx.db.getExecutor() as unknown as { provideConnection: unknown }
  const before = executor.provideConnection
  executor.provideConnection = () =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  return () => void (executor.provideConnection = before)
}
