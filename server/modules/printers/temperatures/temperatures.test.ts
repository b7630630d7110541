import { StatusReading } from '@vigil/contract/core/status.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { lineOf, unpack } from './history.rules.ts'
import { noteTemperatures } from './index.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let printer: { id: number; auth_token: string }

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  printer = await aPrinter(app, owner)
})

const read = async (who = owner) =>
  await call(app, 'GET', `/api/v1/printers/${printer.id}/temperatures/`, { cookie: who.cookie })
const note = (actual: unknown, target: unknown = 200) =>
  noteTemperatures(app.ctx, asId(printer.id), { temperatures: { extruder: { actual, target } } })
/** The samples of the extruder, once there are more than so many. */
const samples = (over: number) =>
  eventually(async () => {
    const { extruder } = (await read()).json.heaters as { extruder?: [number, number, number][] }
    return extruder && extruder.length > over ? extruder : undefined
  })

describe('the last half hour', () => {
  it('is empty for a new printer, and another’s does not exist', async () => {
    expect((await read()).json).toEqual({ heaters: {} })
    expect((await read(await aUser(app))).status).toBe(404)
  })

  it('comes with the agent’s statuses: actual and target of every heater, sensors without target', async () => {
    const agent = await connectAgent(app, printer.auth_token)
    const temperatures = {
      extruder: { actual: 20.04, target: 0, offset: 0 },
      mcu_temp: { actual: 40, target: null },
      bad: { actual: null },
      worse: 7,
    }
    agent.send({ status: { _ts: Date.now() / 1000, temperatures } })
    const heaters = await eventually(async () => {
      const { json } = await read()
      return Object.keys(json.heaters).length > 0 ? json.heaters : undefined
    })
    expect(heaters).toEqual({
      extruder: [[expect.any(Number), 20, 0]],
      mcu_temp: [[expect.any(Number), 40, null]],
    })
    expect(Math.abs(heaters.extruder[0][0] - Date.now() / 1000)).toBeLessThan(5)
    agent.close()
  })

  it('has a sample every five seconds, reaches over chunks, and forgets what is older', async () => {
    for (let i = 0; i < 1200; i++) {
      note(i)
      if (i === 0) await samples(0)
      app.advance(2_500)
    }
    const extruder = await samples(350)
    expect(extruder.length).toBeLessThanOrEqual(361)
    const times = extruder.map(([t]) => t)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(29 * 60)
    app.advance(31 * 60_000)
    expect((await read()).json).toEqual({ heaters: {} })
  })

  it('is continued by whoever holds the agent next', async () => {
    note(1)
    await samples(0)
    app.advance(61_000)
    note(2)
    expect((await samples(1)).map(([, actual]) => actual)).toEqual([1, 2])
  })

  it('costs nearly nothing: under 20 µs a status', () => {
    const heater = () => ({ actual: Math.random() * 200, target: 200, offset: 0 })
    const status = {
      temperatures: {
        extruder: heater(),
        heater_bed: heater(),
        chamber: heater(),
        mcu_temp: heater(),
        host: heater(),
      },
    }
    const began = process.threadCpuUsage()
    for (let round = 0; round < 20; round++) {
      for (let id = 1; id <= 1000; id++) noteTemperatures(app.ctx, asId(1_000_000 + id), status)
      app.advance(1_000)
    }
    // of its own processor time, whatever else runs here
    const { user, system } = process.threadCpuUsage(began)
    expect((user + system) / 20_000).toBeLessThan(20)
  })
})

describe('a line', () => {
  const heaters = (temperatures: unknown) => new StatusReading({ temperatures }).temperatures

  it('takes what agents send, whatever it is', () => {
    for (const odd of [
      null,
      undefined,
      7,
      'x',
      [],
      {},
      { a: null },
      { a: { actual: Number.NaN } },
      { a: { actual: '1' } },
    ])
      expect(lineOf(heaters(odd), 0)).toBeNull()
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`h${i}`, { actual: i, target: i }]),
    )
    expect(Object.keys(unpack([lineOf(heaters(many), 0) ?? ''], 0))).toHaveLength(16)
    expect(lineOf(heaters({ ['x'.repeat(61)]: { actual: 1 } }), 0)).toBeNull()
    expect(unpack([lineOf(heaters({ __proto__: 1, 'a"\n': { actual: 1.26 } }), 5_000) ?? ''], 0)).toEqual({
      'a"\n': [[5, 1.3, null]],
    })
  })
})
