import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, type WireAgent } from '../../../test/wire/agent.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
const agents: WireAgent[] = []
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(async () => {
  for (const agent of agents) agent.close()
  await app.close()
})

const ORCA = readFileSync(new URL('../../../lib/gcode/fixtures/orcaslicer.gcode', import.meta.url), 'utf8')
const ask = (method: string, path: string, body?: unknown, who = owner) =>
  call(app, method, path, { token: who.token, body })

async function store(content: string, who = owner): Promise<number> {
  const form = new FormData()
  form.set('filename', 'cube.gcode')
  form.set('file', new Blob([content]), 'cube.gcode')
  const headers = { authorization: `Bearer ${who.token}` }
  const answer = await fetch(`${app.url}/api/v1/g_code_files/`, { method: 'POST', headers, body: form })
  return ((await answer.json()) as { id: number }).id
}

/** An agent that answers the first thing it is asked. */
async function answering(token: string, agent: 'octoprint_obico' | 'moonraker_obico', ret: unknown) {
  const line = await connectAgent(app, token)
  agents.push(line)
  line.send({
    current_print_ts: -1,
    status: { _ts: 1 },
    settings: { agent: { name: agent, version: '2.1.4' } },
  })
  const asked = line
    .hear(({ passthru }) => passthru !== undefined)
    .then(({ passthru }) => {
      line.send({ passthru: { ref: (passthru as { ref: string }).ref, ret } })
      return passthru
    })
  return asked
}

const isConnected = async (id: number, agentName: string) => {
  await expect
    .poll(async () => {
      const { json } = await ask('GET', `/api/v1/printers/${id}/`)
      return json.settings?.agent_name
    })
    .toBe(agentName)
}

describe('which printers can print a file', () => {
  it('is asked of connected agents, and answered for each printer of the account', async () => {
    const user = await aUser(app)
    const square = ';LAYER_CHANGE\n;TYPE:Outer wall\nG1 X10 Y5 Z.2 F6000\nG1 X205 Y5 E5\nG1 X205 Y205 E5\n'
    const file = await store(`${ORCA}; printable_area = 0x0,220x0,220x220,0x220\n${square}`, user)
    const klipper = await aPrinter(app, user, 'Klipper')
    const away = await aPrinter(app, user, 'Away')
    await aPrinter(app, stranger, 'of somebody else')
    const asked = answering(klipper.auth_token, 'moonraker_obico', {
      status: {
        toolhead: { axis_minimum: [0, 0, 0, 0], axis_maximum: [180, 180, 180, 0] },
        configfile: {
          settings: { extruder: { nozzle_diameter: 0.4, max_temp: 300 }, heater_bed: { max_temp: 110 } },
        },
      },
    })
    await expect
      .poll(
        async () =>
          (await ask('GET', `/api/v1/printers/${klipper.id}/`, undefined, user)).json.settings.agent_name,
      )
      .toBe('moonraker_obico')

    const { status, json } = await ask('GET', `/api/v1/g_code_files/${file}/printers/`, undefined, user)
    expect(status).toBe(200)
    expect(await asked).toEqual({
      ref: expect.any(String),
      target: 'moonraker_api',
      func: 'printer/objects/query',
      kwargs: { verb: 'get', configfile: 'settings', toolhead: 'axis_minimum,axis_maximum' },
    })
    const unknown = (about: string, of: string) => ({ about, verdict: 'unknown', file: of, printer: null })
    expect(json).toEqual([
      {
        printer: { id: klipper.id, name: 'Klipper' },
        fit: {
          verdict: 'warns',
          reasons: [{ about: 'bed', verdict: 'warns', file: '195 × 200', printer: '180 × 180' }],
        },
      },
      {
        printer: { id: away.id, name: 'Away' },
        fit: {
          verdict: 'unknown',
          reasons: [unknown('bed', '195 × 200'), unknown('height', '20'), unknown('nozzle', '0.4')],
        },
      },
    ])
  })

  it("of somebody else's file is nobody's business", async () => {
    const file = await store(ORCA)
    expect((await ask('GET', `/api/v1/g_code_files/${file}/printers/`, undefined, stranger)).status).toBe(404)
  })
})

describe('a printer as a machine', () => {
  it('is what its agent told, kept when it is gone, and what its owner says before that', async () => {
    const { id, auth_token: token } = await aPrinter(app, owner, 'OctoPrint')
    const profile = {
      model: 'MK4',
      heatedBed: true,
      extruder: { nozzleDiameter: 0.4 },
      volume: { width: 250, depth: 210, height: 220, origin: 'lowerleft' },
    }
    const asked = answering(token, 'octoprint_obico', ['Operational', 'VIRTUAL', 115200, profile])
    await isConnected(id, 'octoprint_obico')
    const path = `/api/v1/printers/${id}/machine/`
    const none = { bed_width: null, bed_depth: null, height: null, nozzle_diameter: null, model: null }
    const told = {
      bed_width: 250,
      bed_depth: 210,
      height: 220,
      nozzle_diameter: 0.4,
      model: 'MK4',
      nozzle_temp_max: null,
      bed_temp_max: null,
    }
    expect((await ask('GET', path)).json).toEqual({ said: none, told, told_at: expect.any(String) })
    expect(await asked).toEqual({
      ref: expect.any(String),
      target: '_printer',
      func: 'get_current_connection',
      args: [],
    })
    for (const agent of agents.splice(0)) agent.close()

    const change = await ask('PATCH', path, { nozzle_diameter: 0.6, height: 180 })
    expect(change).toMatchObject({
      status: 200,
      json: { said: { ...none, nozzle_diameter: 0.6, height: 180 }, told },
    })
    expect((await ask('PATCH', path, { height: null })).json.said).toEqual({ ...none, nozzle_diameter: 0.6 })
    const file = await store(ORCA)
    const { json } = await ask('GET', `/api/v1/g_code_files/${file}/printers/`)
    expect(json.find((one: { printer: { id: number } }) => one.printer.id === id).fit.reasons).toContainEqual(
      {
        about: 'nozzle',
        verdict: 'warns',
        file: '0.4',
        printer: '0.6',
      },
    )
  })

  it.each([{ bed_width: 0 }, { bed_depth: -1 }, { height: 1e308 }, { nozzle_diameter: '0.4' }, { model: 7 }])(
    'cannot be %j',
    async (body) => {
      const { id } = await aPrinter(app, owner)
      const answer = await ask('PATCH', `/api/v1/printers/${id}/machine/`, body)
      expect(answer.status).toBe(400)
      expect(Object.keys(answer.json)).toEqual(Object.keys(body))
    },
  )

  it('of somebody else does not exist', async () => {
    const { id } = await aPrinter(app, owner)
    for (const method of ['GET', 'PATCH'])
      expect(
        (await ask(method, `/api/v1/printers/${id}/machine/`, method === 'GET' ? undefined : {}, stranger))
          .status,
      ).toBe(404)
  })
})
