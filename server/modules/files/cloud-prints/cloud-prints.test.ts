import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { CloudPrint } from '@vigil/contract/files/cloud-prints.ts'
import { vaseGcode } from '@vigil/simulator/gcode.ts'
import { type FlavourName, type SimulatedPrinter, startSimulatedPrinter } from '@vigil/simulator/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { aNode, aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { cloneDatabase } from '../../../test/pg.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
const machines: SimulatedPrinter[] = []
const agents: WireAgent[] = []

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.close()
  await Promise.all(machines.splice(0).map((machine) => machine.stop()))
})
afterAll(() => app.close())

const GCODE = vaseGcode({ layers: 60, nozzle: 40, bed: 30 })

async function upload(
  filename = 'My vase.gcode',
  who = owner,
  content: string | Uint8Array<ArrayBuffer> = GCODE,
): Promise<number> {
  const form = new FormData()
  form.set('filename', filename)
  form.set('file', new Blob([content]), 'x')
  const headers = { authorization: `Bearer ${who.token}` }
  const answer = await fetch(`${app.url}/api/v1/g_code_files/`, { method: 'POST', headers, body: form })
  return ((await answer.json()) as { id: number }).id
}

const ask = (printer: number, file: number, who = owner) =>
  call(app, 'POST', '/api/v1/cloud_prints/', { token: who.token, body: { printer, g_code_file: file } })
const look = async (id: number): Promise<CloudPrint> =>
  (await call(app, 'GET', `/api/v1/cloud_prints/${id}/`, { token: owner.token })).json
const reach = (id: number, ...states: CloudPrint['state'][]) => {
  let one: CloudPrint | undefined
  return eventually(
    async () => {
      one = await look(id)
      return states.includes(one.state) ? one : undefined
    },
    60_000,
    () => `${JSON.stringify(one)} is not ${states.join(' or ')}`,
  )
}

async function aMachine(flavour: FlavourName, speed = 60) {
  const { id, auth_token: token } = await aPrinter(app, owner, flavour)
  const machine = startSimulatedPrinter({
    server: app.url,
    token,
    flavour,
    speed,
    timeScale: 20,
    statusEverySeconds: 0.5,
    withoutPictures: true,
  })
  machines.push(machine)
  await machine.ready
  await isReady(id)
  return { id, machine }
}

const isReady = (id: number) =>
  eventually(async () => {
    const { json } = await call(app, 'GET', `/api/v1/printers/${id}/`, { token: owner.token })
    return json.status?.state?.text === 'Operational' && json.agent_version !== null ? true : undefined
  })

/** An agent in our own hands, whose printer stands idle. */
async function anAgent(name = 'moonraker_obico', version = '2.1.4') {
  const { id, auth_token: token } = await aPrinter(app, owner)
  const agent = await connectAgent(app, token)
  agents.push(agent)
  await agent.hear(({ remote_status }) => remote_status !== undefined)
  const flags = { operational: true, ready: true, printing: false, paused: false, closedOrError: false }
  const tell = (text: string, more: object = {}, message: object = { current_print_ts: -1 }) =>
    agent.send({
      ...message,
      status: { _ts: Date.now() / 1000, state: { text, flags: { ...flags, ...more } } },
      settings: { agent: { name, version } },
    })
  tell('Operational')
  await isReady(id)
  return { id, token, agent, tell }
}

/** What an agent is told to fetch; answered as agents do. */
async function order(agent: WireAgent): Promise<{ id: number; url: string; filename: string }> {
  const { passthru } = await agent.hear((told) => (told.passthru as any)?.func === 'download')
  const { ref, args } = passthru as any
  agent.send({ passthru: { ref, ret: { target_path: args[0].filename } } })
  return args[0]
}

const events = async (printerId: number) =>
  await app.ctx.db
    .selectFrom('printerEvents')
    .select(['code', 'eventClass'])
    .where('printerId', '=', asId(printerId))
    .execute()

describe.each(['octoprint', 'klipper'] as const)('%s', (flavour) => {
  it('fetches a file of the cloud and prints it, told from the download to the first layer', async () => {
    // so slow that it prints still when it is asked last
    const { id, machine } = await aMachine(flavour, 15)
    const file = await upload()
    const { status, json } = await ask(id, file)
    expect([status, json]).toEqual([
      201,
      {
        id: expect.any(Number),
        printer: id,
        g_code_file: file,
        filename: 'My vase.gcode',
        state: expect.stringMatching(/^(sending|sent|downloading|storing|starting)$/),
        reason: null,
        detail: null,
        num_bytes: GCODE.length,
        bytes_sent: expect.any(Number),
        print: null,
        created_at: expect.any(String),
        ended_at: null,
      },
    ])
    const done = await reach(json.id, 'printing', 'failed')
    expect(done).toMatchObject({ state: 'printing', bytes_sent: GCODE.length, print: expect.any(Number) })
    const print = await call(app, 'GET', `/api/v1/prints/${done.print}/`, { token: owner.token })
    expect(print.json.g_code_file).toMatchObject({ id: file, resident_printer: null })
    expect(machine.state).toBe('printing')
    expect((await ask(id, await upload('other.gcode'))).json).toEqual({
      reason: 'busy',
      detail: 'It is busy.',
    })
  })
})

describe('a file as slicers write it', () => {
  const SLICED = [
    '; made by a slicer\r\n\n\r\n',
    GCODE.replaceAll('\n', '\n\n   ').replaceAll(';LAYER:', '  ;LAYER:'),
    ';BEFORE_LAYER_CHANGE\n; layer 61, Z = 12\n\tM104 S0 ; Düse aus\n\n',
  ].join('')

  it.each(['octoprint', 'klipper'] as const)(
    'is printed by %s to its end, and nobody is told',
    async (flavour) => {
      const { id, machine } = await aMachine(flavour)
      const { json } = await ask(id, await upload('Sliced.gcode', owner, SLICED))
      expect(await reach(json.id, 'printing', 'failed')).toMatchObject({ state: 'printing', reason: null })
      await eventually(() => Promise.resolve(machine.state === 'operational' || undefined), 60_000)
      const told = (await events(id)).map(({ code }) => code)
      expect(told).not.toContain('cloud_print_unsure')
      expect(told).not.toContain('cloud_print_incomplete')
    },
  )
})

test('a file that is not UTF-8 is not stored by OctoPrint’s plug-in, and its owner reads why; Klipper prints it', async () => {
  const latin = Uint8Array.from(Buffer.from(GCODE.replace('\n', ' D\u00fcse\n'), 'latin1'))
  const file = await upload('Western.gcode', owner, latin)
  const [octoprint, klipper] = [await aMachine('octoprint'), await aMachine('klipper')]
  const sent = (await ask(octoprint.id, file)).json
  const printed = (await ask(klipper.id, file)).json
  await reach(sent.id, 'storing')
  const failed = eventually(async () => {
    app.advance(5_000)
    const one = await look(sent.id)
    return one.state === 'failed' ? one : undefined
  })
  expect(await failed).toMatchObject({ reason: 'not_utf8', detail: expect.stringContaining('UTF-8') })
  expect((await events(octoprint.id)).map(({ code }) => code)).toContain('cloud_print_not_utf8')
  expect(await reach(printed.id, 'printing', 'failed')).toMatchObject({ state: 'printing' })
})

describe('a click', () => {
  it('that comes twice starts once, and one for another file is refused meanwhile', async () => {
    const { id, agent } = await anAgent()
    const [file, other] = [await upload(), await upload('other.gcode')]
    const answering = order(agent)
    const answers = await Promise.all([ask(id, file), ask(id, file), ask(id, file)])
    await answering
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201])
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
    expect((await ask(id, other)).json.reason).toBe('busy')
    expect(agent.heard.filter(({ passthru }) => passthru !== undefined)).toHaveLength(1)
  })
})

describe('nothing is sent', () => {
  const refusal = async (printer: number, file: number) => (await ask(printer, file)).json

  it('to a printer that is off, not connected, busy, too old', async () => {
    const file = await upload()
    const { id: off } = await aPrinter(app, owner)
    expect(await refusal(off, file)).toEqual({ reason: 'off', detail: 'It is powered off.' })
    const { id, agent, tell } = await anAgent()
    const seen = (text: string) =>
      eventually(async () => {
        const { json } = await call(app, 'GET', `/api/v1/printers/${id}/`, { token: owner.token })
        return json.status?.state?.text === text || undefined
      })
    tell('Offline', { operational: false, ready: false, closedOrError: true })
    await seen('Offline')
    expect(await refusal(id, file)).toEqual({ reason: 'not_connected', detail: 'It is not connected.' })
    tell('Printing', { ready: false, printing: true })
    await seen('Printing')
    expect(await refusal(id, file)).toEqual({ reason: 'busy', detail: 'It is busy.' })
    expect(agent.heard.some(({ passthru }) => passthru !== undefined)).toBe(false)
    const old = await anAgent('octoprint_obico', '2.2.9')
    expect((await refusal(old.id, file)).reason).toBe('too_old')
  })

  it('of a file or to a printer of somebody else, of one that is deleted, or has no content', async () => {
    const { id, agent } = await anAgent()
    const foreign = await upload('x.gcode', stranger)
    expect((await ask(id, foreign)).status).toBe(404)
    expect((await ask(id, await upload(), stranger)).status).toBe(404)
    const gone = await upload()
    await call(app, 'DELETE', `/api/v1/g_code_files/${gone}/`, { token: owner.token })
    expect(await refusal(id, gone)).toEqual({
      reason: 'deleted',
      detail: 'This file is deleted and unavailable for print',
    })
    const { id: empty } = await app.ctx.db
      .insertInto('gCodeFiles')
      .values({ userId: owner.id, filename: 'e.gcode', safeFilename: 'e.gcode' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await refusal(id, empty)).toEqual({
      reason: 'no_content',
      detail: "This G-Code file doesn't exists",
    })
    expect(agent.heard.some(({ passthru }) => passthru !== undefined)).toBe(false)
  })

  it('is what is told when the agent refuses: busy in our words, anything else in its own', async () => {
    const { id, agent } = await anAgent()
    const file = await upload()
    const answer = async (error: string) => {
      const before = agent.heard.length
      const asked = ask(id, file)
      const { passthru } = await agent.hear(
        (told) => told.passthru !== undefined && agent.heard.indexOf(told) >= before,
      )
      agent.send({ passthru: { ref: (passthru as any).ref, error } })
      return (await asked).json
    }
    expect(await answer('Printer busy!')).toEqual({ reason: 'busy', detail: 'It is busy.' })
    expect(await answer('disk <b>full</b>')).toEqual({
      reason: 'refused',
      detail: 'The printer said: disk <b>full</b>',
    })
  })
})

describe('a download', () => {
  const large = `G28\n${';'.repeat(79)}\n`.repeat(60_000)
  const begin = async (content = large) => {
    const world = await anAgent()
    const file = await upload('large.gcode', owner, content)
    const asked = ask(world.id, file)
    const told = await order(world.agent)
    const { json } = await asked
    return { ...world, told, handOver: json.id as number, file }
  }
  it('is by an address on which nothing but this file lies, for this printer, in parts too', async () => {
    const { told, tell, id, handOver } = await begin()
    expect(told).toMatchObject({ filename: 'large.gcode', safe_filename: 'large.gcode' })
    expect(told.url.startsWith(`${app.url}/api/v1/cloud_prints/${handOver}/content/?`)).toBe(true)
    const other = await anAgent()
    const wrong = [
      told.url.replace(`printer=${id}`, `printer=${other.id}`),
      told.url.replace(/expires=\d+/, 'expires=99999999999'),
      told.url.replace(/digest=./, 'digest=_'),
      told.url.replace(`/${handOver}/`, `/${handOver + 1}/`),
      told.url.replace(/&digest=.*/, ''),
    ]
    for (const url of wrong) expect([url, (await fetch(url)).status]).toEqual([url, 403])
    const first = await fetch(told.url, { headers: { range: 'bytes=0-99' } })
    expect([first.status, first.headers.get('content-range')]).toEqual([206, `bytes 0-99/${large.length}`])
    await first.arrayBuffer()
    // Begun in time, it may be taken up again for as long as it lasts.
    const rest = await fetch(told.url, { headers: { range: 'bytes=100-' } })
    expect((await rest.text()).length).toBe(large.length - 100)
    await reach(handOver, 'storing')
    tell('Operational')
  })

  it('ends in chunks, so that who reads it notices when the line is cut', async () => {
    const { told } = await begin()
    const whole = await fetch(told.url)
    expect([whole.headers.get('content-length'), (await whole.text()) === large]).toEqual([null, true])
  })

  it('that is not begun within a minute never begins, and that is told', async () => {
    const { told, handOver, id } = await begin()
    app.advance(61_000)
    expect((await fetch(told.url)).status).toBe(403)
    expect(await reach(handOver, 'failed')).toMatchObject({
      reason: 'no_answer',
      detail: 'The printer did not begin to download the file.',
    })
    await eventually(async () =>
      (await events(id)).some(({ code }) => code === 'cloud_print_no_answer') ? true : undefined,
    )
    expect((await fetch(told.url)).status).toBe(403)
  })

  it('whose agent dies half-way is told as broken off, and the printer is free again', async () => {
    // Reads no further than its first bytes: more than sockets hold, so that the rest waits on the server.
    const { told, handOver, agent, id, file, token } = await begin(large.repeat(5))
    const reading = request(told.url).end()
    const [content] = (await once(reading, 'response')) as [IncomingMessage]
    await once(content, 'readable')
    await reach(handOver, 'downloading')
    reading.destroy()
    agent.ws.terminate()
    await eventually(async () => {
      const row = await app.ctx.db
        .selectFrom('cloudPrints')
        .select('cutAt')
        .where('id', '=', asId(handOver))
        .executeTakeFirstOrThrow()
      return row.cutAt === null ? undefined : true
    })
    app.advance(21_000)
    expect(await reach(handOver, 'failed')).toMatchObject({ reason: 'download_died' })
    expect((await events(id)).map(({ code }) => code)).toContain('cloud_print_download_died')
    expect((await fetch(told.url)).status).toBe(403)
    const back = await connectAgent(app, token)
    agents.push(back)
    back.send({
      current_print_ts: -1,
      status: {
        _ts: Date.now() / 1000 + 30,
        state: { text: 'Operational', flags: { operational: true, ready: true } },
      },
    })
    await isReady(id)
    const again = ask(id, file)
    await order(back)
    expect((await again).status).toBe(201)
  })

  it('that is whole and never printed is told too', async () => {
    const { told, handOver, tell } = await begin()
    await (await fetch(told.url)).arrayBuffer()
    await reach(handOver, 'storing')
    tell('Operational')
    await eventually(async () => {
      const row = await app.ctx.db
        .selectFrom('cloudPrints')
        .select('idleSince')
        .where('id', '=', asId(handOver))
        .executeTakeFirstOrThrow()
      return row.idleSince === null ? undefined : true
    })
    app.advance(31_000)
    expect(await reach(handOver, 'failed')).toMatchObject({ reason: 'not_started' })
  })

  it('that is not whole on the printer is cancelled, once, for that print alone', async () => {
    const { told, handOver, agent, tell, token, id } = await begin()
    await (await fetch(told.url)).arrayBuffer()
    const identity = { safe_filename: 'large.gcode', agent_signature: 'ts:5.5' }
    const headers = { authorization: `Token ${token}` }
    const form = (fields: Record<string, string>) => new URLSearchParams(fields)
    await fetch(`${app.url}/api/v1/octo/g_code_files/${told.id}/`, {
      method: 'PATCH',
      headers,
      body: form(identity),
    })
    const half = { ...identity, filename: 'large.gcode', num_bytes: '1000', url: 'Obico_Upload/large.gcode' }
    const posted = await fetch(`${app.url}/api/v1/octo/g_code_files/`, {
      method: 'POST',
      headers,
      body: form(half),
    })
    expect(((await posted.json()) as { id: number }).id).toBe(told.id)
    const ts = Math.trunc(Date.now() / 1000)
    agent.send({
      current_print_ts: ts,
      event: { event_type: 'PrintStarted', data: { name: 'large.gcode' } },
      status: {
        _ts: Date.now() / 1000,
        state: { text: 'Printing', flags: { operational: true, printing: true } },
        job: { file: { name: 'large.gcode', obico_g_code_file_id: told.id } },
      },
    })
    expect(await reach(handOver, 'failed')).toMatchObject({ reason: 'incomplete' })
    const { commands } = await agent.hear((heard) => heard.commands !== undefined)
    expect(commands).toEqual([{ cmd: 'cancel', args: {}, initiator: 'system' }])
    expect((await events(id)).map(({ code }) => code)).toContain('cloud_print_incomplete')
    tell('Operational')
  })
})

test('a server that restarts half-way goes on with what is under way, and sends nothing again', async () => {
  const database = await cloneDatabase()
  const secret = 'x'.repeat(40)
  const first = await aNode(database.url, { VIGIL_SECRET: secret })
  const before = [app, owner] as const
  try {
    app = first
    owner = await aUser(first)
    const { id, token, agent } = await anAgent()
    const file = await upload()
    const asked = ask(id, file)
    const told = await order(agent)
    const { json } = await asked
    await (await fetch(told.url, { headers: { range: 'bytes=0-9' } })).arrayBuffer()
    await reach(json.id, 'downloading')
    await first.close()
    const second = await aNode(database.url, { VIGIL_SECRET: secret })
    try {
      app = second
      const back = await connectAgent(second, token)
      agents.push(back)
      await back.hear(({ remote_status }) => remote_status !== undefined)
      second.advance(100_000)
      expect(await reach(json.id, 'failed')).toMatchObject({ reason: 'download_died' })
      expect(back.heard.some(({ passthru }) => passthru !== undefined)).toBe(false)
    } finally {
      await second.close()
    }
  } finally {
    ;[app, owner] = before
    await database.drop()
  }
})
