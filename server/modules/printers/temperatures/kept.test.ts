import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aNode, aPrinter, aUser, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { cloneDatabase } from '../../../test/pg.ts'
import { noteTemperatures } from './index.ts'
import { MAX_POINTS, thinned, timeOf } from './kept.rules.ts'
import { writePoints } from './kept.service.ts'
import { asId } from '../../../test/ids.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let app: TestApp
let owner: TestUser
let printerId: number
let printId: number

beforeAll(async () => {
  database = await cloneDatabase()
  app = await aNode(database.url, { VIGIL_SECRET: 's'.repeat(32) })
  owner = await aUser(app)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})
beforeEach(async () => {
  printerId = (await aPrinter(app, owner)).id
  const startedAt = new Date(app.ctx.clock.now())
  const row = await app.ctx.db
    .insertInto('prints')
    .values(asId({ userId: owner.id, printerId, filename: 'x.gcode', startedAt, extId: printerId }))
    .returning('id')
    .executeTakeFirstOrThrow()
  printId = row.id
  await setCurrent(printId)
})

const setCurrent = (id: number | null) =>
  app.ctx.db
    .updateTable('printers')
    .set({ currentPrintId: asId(id) })
    .where('id', '=', asId(printerId))
    .execute()
const read = async (who = owner) =>
  await call(app, 'GET', `/api/v1/prints/${printId}/temperatures/`, { cookie: who.cookie })
const extruder = async (): Promise<[number, number, number][]> => (await read()).json.heaters.extruder ?? []
const pieces = async () =>
  await app.ctx.db.selectFrom('printTemperatures').selectAll().where('printId', '=', asId(printId)).execute()

/** So many seconds of printing, a status every five. */
async function printFor(seconds: number): Promise<void> {
  for (let at = 0; at < seconds; at += 5) {
    noteTemperatures(app.ctx, asId(printerId), { temperatures: { extruder: { actual: at, target: 200 } } })
    // The first sample looks up whether another node began this chunk.
    await setImmediate()
    app.advance(5_000)
  }
}

async function end(): Promise<void> {
  await setCurrent(null)
  const finishedAt = new Date(app.ctx.clock.now())
  await app.ctx.db.updateTable('prints').set({ finishedAt }).where('id', '=', asId(printId)).execute()
  app.ctx.events.emit('print.ended', { printerId: asId(printerId), printId: asId(printId), cancelled: false })
}

describe('the temperatures of a print', () => {
  it('have a point every 30 s, over what was written and what was not, and are its owner’s alone', async () => {
    await printFor(600)
    await writePoints(app.ctx)
    await printFor(300)
    const points = await extruder()
    expect(points).toHaveLength(30)
    const gaps = points.slice(1).map(([t], at) => t - (points[at]?.[0] ?? 0))
    // What the test itself takes is in them.
    expect(gaps.filter((gap) => gap < 30 || gap > 32)).toEqual([])
    expect(points[1]).toEqual([expect.any(Number), 30, 200])
    expect((await read(await aUser(app))).status).toBe(404)
  })

  it('are one row when the print has ended, with its last points; what comes after belongs to no print', async () => {
    await printFor(300)
    await writePoints(app.ctx)
    await printFor(300)
    await writePoints(app.ctx)
    await printFor(120)
    expect(await pieces()).toHaveLength(2)
    await end()
    await expect.poll(pieces).toHaveLength(1)
    await expect.poll(extruder).toHaveLength(24)
    await printFor(300)
    await writePoints(app.ctx)
    expect(await extruder()).toHaveLength(24)
  })

  it('outlive the server: it writes what it has before it stops', async () => {
    await printFor(300)
    const other = await aNode(database.url)
    other.setClock(app.ctx.clock.now() - other.ctx.clock.now())
    noteTemperatures(other.ctx, asId(printerId), { temperatures: { bed: { actual: 60, target: 60 } } })
    await other.close()
    const { heaters } = (await read()).json
    expect(heaters.bed).toEqual([[expect.any(Number), 60, 60]])
  })
})

describe('temperatures', () => {
  it('of an idle printer are not kept, nor what was said before the print began', async () => {
    await setCurrent(null)
    await printFor(300)
    await writePoints(app.ctx)
    expect(await pieces()).toHaveLength(0)
    await printFor(300)
    const startedAt = new Date(app.ctx.clock.now() - 60_000)
    await app.ctx.db.updateTable('prints').set({ startedAt }).where('id', '=', asId(printId)).execute()
    await setCurrent(printId)
    await writePoints(app.ctx)
    const [piece] = await pieces()
    expect(piece?.lines.split('\n').length).toBeLessThanOrEqual(3)
  })

  it('wait for a database that is away', async () => {
    await printFor(300)
    const away = new Proxy(app.ctx.db, {
      get: () => () => {
        throw new Error('away')
      },
    })
    await expect(writePoints({ ...app.ctx, db: away })).rejects.toThrow('away')
    await writePoints(app.ctx)
    const [piece] = await pieces()
    expect(piece?.lines.split('\n')).toHaveLength(10)
  })
})

it('a print of a week keeps as many points as one of a day, the first and the last among them', () => {
  const lines = Array.from({ length: 20_160 }, (_, at) => `[${at * 30},"extruder",200,200]`)
  const kept = thinned(lines)
  expect(kept).toHaveLength(MAX_POINTS)
  expect([kept[0], kept.at(-1)]).toEqual([lines[0], lines.at(-1)])
  const gaps = kept.slice(1).map((line, at) => timeOf(line) - timeOf(kept[at] ?? ''))
  expect([Math.min(...gaps), Math.max(...gaps)]).toEqual([210, 240])
  expect(thinned(lines.slice(0, 9))).toEqual(lines.slice(0, 9))
})
