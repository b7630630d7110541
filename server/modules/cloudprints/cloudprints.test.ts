import type { CloudPrint } from '@vigil/contract/cloud-prints.ts'
import { vaseGcode } from '@vigil/simulator/gcode.ts'
import { type FlavourName, type SimulatedPrinter, startSimulatedPrinter } from '@vigil/simulator/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../test/wire/agent.ts'

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

async function upload(filename = 'My vase.gcode', who = owner, content = GCODE): Promise<number> {
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
    20_000,
    () => `${JSON.stringify(one)} is not ${states.join(' or ')}`,
  )
}

async function aMachine(flavour: FlavourName) {
  const { id, auth_token: token } = await aPrinter(app, owner, flavour)
  const machine = startSimulatedPrinter({
    server: app.url,
    token,
    flavour,
    speed: 60,
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
  }, 20_000)

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

describe.each(['octoprint', 'klipper'] as const)('%s', (flavour) => {
  it('fetches a file of the cloud and prints it, told from the download to the first layer', async () => {
    const { id, machine } = await aMachine(flavour)
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
