import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually, type Told, type WireAgent } from '../../../test/wire/agent.ts'

let app: TestApp
let owner: TestUser
let printer: { id: number; auth_token: string }
let agent: WireAgent
const asked: { func: string; kwargs: Record<string, unknown> }[] = []
/** What the printer answers; undefined: nothing, as while a macro runs. */
let answer: { ret?: unknown; error?: string } | undefined

const settings = {
  printer: { kinematics: 'corexy' },
  mcu: { serial: '/dev/serial/by-id/secret' },
  'gcode_macro load_filament': {
    description: 'Pushes new filament in',
    gcode:
      '{% set far = params.LENGTH|default(80)|float %}\n{% set t = params.Temp | default( "210" )|int %}\nG1 E{far}',
  },
  'gcode_macro print_start': {
    description: 'G-Code macro',
    gcode:
      'M140 S{params.BED}\nM104 S{params.EXTRUDER|default(printer.extruder.target)}\nM190 S{params.BED|default(60)}',
  },
  'gcode_macro _obico_layer_change': { gcode: 'M117' },
  'delayed_gcode clear': { gcode: 'M117' },
}

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Voron')
  agent = await connectAgent(app, printer.auth_token)
  agent.ws.on('message', (data: Buffer) => {
    const { passthru } = JSON.parse(String(data)) as Told
    const { ref, func, kwargs } = (passthru ?? {}) as {
      ref?: string
      func: string
      kwargs: Record<string, unknown>
    }
    if (ref === undefined) return
    asked.push({ func, kwargs })
    const reply =
      func === 'printer/objects/query' ? { ret: { status: { configfile: { settings } } } } : answer
    if (reply) agent.send({ passthru: { ref, ...reply } })
  })
  await tells({ printing: false })
})
afterAll(async () => {
  agent.close()
  await app.close()
})

const macros = (method: 'GET' | 'POST', body?: unknown, who = owner) =>
  call(app, method, `/api/v1/printers/${printer.id}/macros/`, { token: who.token, ...(body ? { body } : {}) })

/** The agent's next report, and that the server has it. */
async function tells({ printing, paused = false }: { printing: boolean; paused?: boolean }) {
  const text = paused ? 'Paused' : printing ? 'Printing' : 'Operational'
  const idle = !printing && !paused
  agent.send({
    current_print_ts: idle ? -1 : 1_795_000_000,
    status: { _ts: ++told, state: { text, flags: { operational: true, ready: idle, printing, paused } } },
    settings: { agent: { name: 'moonraker_obico', version: '2.1.4' } },
  })
  await eventually(async () => {
    const { json } = await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { token: owner.token })
    return json.status?.state?.text === text && json.settings?.agent_name === 'moonraker_obico'
      ? true
      : undefined
  })
}
let told = Math.floor(Date.now() / 1000)

describe('macros of Klipper', () => {
  it('are told with what they ask for, and nothing else of the configuration', async () => {
    const { status, json, text } = await macros('GET')
    expect(text).not.toMatch(/"(?:PAUSE|RESUME|CANCEL_PRINT)"/)
    expect(status).toBe(200)
    expect(json).toEqual([
      {
        name: 'LOAD_FILAMENT',
        description: 'Pushes new filament in',
        params: [
          { name: 'LENGTH', default: '80' },
          { name: 'TEMP', default: '210' },
        ],
      },
      {
        name: 'PRINT_START',
        description: null,
        params: [
          { name: 'BED', default: '60' },
          { name: 'EXTRUDER', default: null },
        ],
      },
    ])
    expect(text).not.toMatch(/serial|OBICO|M140/i)
  })

  it('run on an idle printer, with parameters that can’t become another line', async () => {
    answer = { ret: { result: 'ok' } }
    const ran = await macros('POST', { name: 'load_filament', params: { length: '50', note: 'two words' } })
    expect(ran).toMatchObject({ status: 200, json: { done: true } })
    expect(asked.at(-1)).toEqual({
      func: 'printer/gcode/script',
      kwargs: { verb: 'post', script: 'LOAD_FILAMENT LENGTH=50 NOTE="two words"' },
    })
    const before = asked.length
    for (const wrong of [
      { name: '_HIDDEN' },
      { name: 'G28\nM112' },
      { name: 'A', params: { x: '1\nM112' } },
      { name: 'A', params: { x: '1" Y=2' } },
      { name: 'A', params: { x: '1;M112' } },
      { name: 'A', params: { 'x y': '1' } },
    ])
      expect((await macros('POST', wrong)).status, JSON.stringify(wrong)).toBe(400)
    expect(asked).toHaveLength(before)
  })

  it('that take long go on, and the printer’s refusal is told in its words', async () => {
    answer = undefined
    expect(await macros('POST', { name: 'BED_MESH' })).toMatchObject({ status: 200, json: { done: false } })
    answer = { error: 'Must home axis first' }
    expect(await macros('POST', { name: 'BED_MESH' })).toMatchObject({
      status: 409,
      json: { reason: 'refused', detail: expect.stringContaining('Must home axis first') },
    })
  })

  it('are refused while a print runs, and run again in its pause', async () => {
    answer = { ret: 'ok' }
    await tells({ printing: true })
    const before = asked.length
    expect(await macros('POST', { name: 'LOAD_FILAMENT' })).toMatchObject({
      status: 409,
      json: { reason: 'printing' },
    })
    expect(asked).toHaveLength(before)
    await tells({ printing: false, paused: true })
    expect((await macros('POST', { name: 'LOAD_FILAMENT' })).status).toBe(200)
    await tells({ printing: false })
    const audit = await app.ctx.db
      .selectFrom('audit')
      .select(['action', 'outcome'])
      .where('printerId', '=', printer.id as never)
      .where('action', '=', 'macro.run')
      .execute()
    expect(audit.length).toBeGreaterThan(2)
  })

  it('are nobody else’s, and there are none of a printer that is away', async () => {
    expect((await macros('GET', undefined, await aUser(app))).status).toBe(404)
    const away = await aPrinter(app, owner, 'Away')
    const path = `/api/v1/printers/${away.id}/macros/`
    expect(await call(app, 'GET', path, { token: owner.token })).toMatchObject({
      status: 409,
      json: { reason: 'not_klipper' },
    })
  })
})
