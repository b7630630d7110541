import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { aHandPrinter, type HandAgent, queueOf, upload } from './queue.fixture.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
let file: number
let other: number
const agents: HandAgent[] = []
const queue = queueOf(
  () => app,
  () => owner,
)

beforeAll(async () => {
  app = await buildTestApp()
  stranger = await aUser(app)
})
beforeEach(async () => {
  owner = await aUser(app)
  file = await upload(app, owner, 'first.gcode')
  other = await upload(app, owner, 'second.gcode')
})
afterEach(() => {
  for (const agent of agents.splice(0)) agent.close()
})
afterAll(() => app.close())

async function aMachine(name?: string): Promise<HandAgent> {
  const one = await aHandPrinter(app, owner, name)
  agents.push(one)
  return one
}
const ordered = (machine: HandAgent, count: number) =>
  eventually(
    () => (machine.orders.length >= count ? true : undefined),
    60_000,
    () => JSON.stringify(machine.orders),
  )
const files = ({ orders }: HandAgent) => orders.map((order) => order.file.id)
const reasons = async () => (await queue.read()).entries.map(({ reason }) => reason)

describe('the queue of a printer', () => {
  it('prints one after the other, each when somebody has said that the bed is clear, and not before', async () => {
    const machine = await aMachine('Voron')
    const config = JSON.stringify({ url: 'https://127.0.0.1:9/' })
    await app.ctx.db
      .insertInto('notificationSettings')
      .values({ userId: owner.id, name: 'webhook', config, notifyOnPrintDone: true })
      .execute()
    await queue.add(file, { printer_id: machine.id })
    const before = await queue.add(other, { printer_id: machine.id })
    expect(before).toEqual({
      version: 0,
      entries: [
        {
          id: expect.any(Number),
          file: {
            id: file,
            filename: 'first.gcode',
            estimated_time: 600,
            filament_total: 1,
            thumbnail_url: null,
            deleted: false,
          },
          printer: { id: machine.id, name: 'Voron' },
          copies: 1,
          left: 1,
          on_hold: false,
          fits_anyway: false,
          runs: [],
          reason: 'not_cleared',
          waits_for: { id: machine.id, name: 'Voron' },
          ahead: 0,
          starts_at: expect.any(String),
          ends_at: expect.any(String),
          created_at: expect.any(String),
          ended_at: null,
        },
        expect.objectContaining({ reason: 'behind', ahead: 1 }),
      ],
      done: [],
      printers: [
        {
          id: machine.id,
          name: 'Voron',
          enabled: true,
          bed: 0,
          bed_clear: false,
          cleared_at: null,
          obstacle: 'not_cleared',
          refusal: null,
          next: before.entries[0]!.id,
          waiting: 2,
          free_at: expect.any(String),
        },
      ],
    })
    const [one, two] = before.entries.map(({ starts_at }) => Date.parse(starts_at ?? ''))
    expect(two! - one!).toBe(600_000)

    expect(await queue.clear(machine.id)).toMatchObject({ status: 200 })
    await ordered(machine, 1)
    expect((await queue.read()).entries[0]).toMatchObject({
      left: 0,
      reason: null,
      runs: [{ state: 'sending' }],
    })
    machine.print()
    const printing = await queue.until(({ entries }) => entries[0]?.runs[0]?.state === 'printing')
    expect(printing.printers[0]).toMatchObject({ bed_clear: false, obstacle: 'busy' })
    expect((await queue.clear(machine.id)).status).toBe(409)
    machine.finish()
    const ended = await queue.until(
      ({ done, printers }) => done.length === 1 && printers[0]?.obstacle === 'not_cleared',
    )
    expect(ended.done[0]).toMatchObject({ file: { id: file }, runs: [{ state: 'finished' }] })
    expect(ended.printers[0]).toMatchObject({ bed_clear: false, waiting: 1 })
    const { bed } = ended.printers[0]!
    expect(bed).toBeGreaterThan(printing.printers[0]!.bed)

    // Who waits for it is told that the bed needs clearing, once.
    const owed = app.ctx.db
      .selectFrom('deliveries')
      .select(['kind', 'noticeKey'])
      .where('userId', '=', owner.id)
    expect((await owed.execute()).filter(({ kind }) => kind === 'BedToClear')).toEqual([
      { kind: 'BedToClear', noticeKey: `bed:${machine.id}:${bed}` },
    ])

    // Whoever looks at an old page has seen another bed.
    const stale = await queue.ask('POST', `printers/${machine.id}/bed_cleared/`, { bed: 1 })
    expect(stale).toMatchObject({ status: 409, json: { detail: expect.stringContaining('used since') } })
    expect(files(machine)).toEqual([file])
    expect((await queue.clear(machine.id)).status).toBe(200)
    await ordered(machine, 2)
    expect(files(machine)).toEqual([file, other])
  })

  it('a bed that was said to be clear is not, once anything has happened to it', async () => {
    const machine = await aMachine()
    const isClear = async () => (await queue.printer(machine.id)).bed_clear
    const clear = async () => {
      // What the printer still tells of its end makes it another bed than was seen.
      await eventually(async () => ((await queue.clear(machine.id)).status === 200 ? true : undefined))
      expect(await isClear()).toBe(true)
    }
    const becomesUnclear = () => queue.until(({ printers }) => printers[0]?.bed_clear === false)

    await clear()
    await queue.ask('DELETE', `printers/${machine.id}/bed_cleared/`)
    expect(await isClear()).toBe(false)

    await clear()
    machine.print('from-the-panel.gcode')
    await becomesUnclear()
    machine.finish()
    await queue.until(({ printers }) => printers[0]?.obstacle === 'not_cleared')

    await clear()
    await call(app, 'POST', '/api/v1/octo/printer_events/', {
      agent: (
        await app.ctx.db
          .selectFrom('printers')
          .select('authToken')
          .where('id', '=', asId(machine.id))
          .executeTakeFirstOrThrow()
      ).authToken,
      body: {
        event_type: 'PRINTER_ERROR',
        event_class: 'ERROR',
        event_title: 'Thermal runaway',
        event_text: 'x',
      },
    })
    await becomesUnclear()

    await clear()
    machine.say('Error', { closedOrError: true, operational: false, ready: false })
    await becomesUnclear()
    machine.idle()
    await queue.until(({ printers }) => printers[0]?.obstacle === 'not_cleared')

    await clear()
    machine.close()
    await queue.until(({ printers }) => printers[0]?.obstacle === 'offline')
    app.advance(6 * 60_000)
    await becomesUnclear()
    await queue.add(file)
    expect(machine.orders).toEqual([])
  })

  it('off, on hold, deleted or removed: nothing starts, and it says why', async () => {
    const machine = await aMachine()
    const gone = await upload(app, owner, 'gone.gcode')
    await call(app, 'PATCH', `/api/v1/g_code_files/${gone}/`, { token: owner.token, body: {} })
    const { entries } = await queue.add(gone, { printer_id: machine.id })
    const held = (await queue.add(file, { printer_id: machine.id, on_hold: true })).entries[1]!
    await call(app, 'DELETE', `/api/v1/g_code_files/${gone}/`, { token: owner.token })
    expect(await reasons()).toEqual(['file_deleted', 'on_hold'])
    await queue.clear(machine.id)
    await queue.ask('PATCH', `printers/${machine.id}/`, { enabled: false })
    await queue.ask('PATCH', `${held.id}/`, { on_hold: false })
    expect(await reasons()).toEqual(['file_deleted', 'queue_off'])
    await queue.ask('DELETE', `${entries[0]!.id}/`)
    expect(await reasons()).toEqual(['queue_off'])
    expect(machine.orders).toEqual([])
    await queue.ask('PATCH', `printers/${machine.id}/`, { enabled: true })
    await ordered(machine, 1)
    expect(files(machine)).toEqual([file])

    const spare = await aMachine('Spare')
    const last = (await queue.add(other, { printer_id: spare.id })).entries.at(-1)!
    await call(app, 'DELETE', `/api/v1/printers/${spare.id}/`, { token: owner.token })
    expect((await queue.read()).entries.at(-1)).toMatchObject({
      reason: 'printer_deleted',
      printer: { id: spare.id, name: 'Spare' },
    })
    const moved = await queue.ask('PATCH', `${last.id}/`, { printer_id: null })
    expect(moved.json.entries.at(-1)).toMatchObject({ reason: 'busy', printer: null })
  })

  it('takes copies one by one, and what was sent in vain waits again', async () => {
    const machine = await aMachine()
    const { entries } = await queue.add(file, { copies: 2 })
    const id = entries[0]!.id
    await queue.clear(machine.id)
    await ordered(machine, 1)
    // Somebody begins another print at the printer before the file has come.
    machine.print('mine.gcode')
    const again = await queue.until((one) => one.entries[0]?.runs[0]?.state === 'failed', 40_000)
    expect(again.entries[0]).toMatchObject({
      left: 2,
      reason: 'busy',
      runs: [{ reason: expect.stringContaining('another print'), print_id: null }],
    })
    machine.finish()
    await queue.until(({ printers }) => printers[0]?.obstacle === 'not_cleared')
    await queue.clear(machine.id)
    await ordered(machine, 2)
    machine.print()
    await queue.until((one) => one.entries[0]?.runs[1]?.state === 'printing')
    expect(await queue.ask('PATCH', `${id}/`, { copies: 0 })).toMatchObject({ status: 400 })
    // What runs is not taken out.
    const rest = await queue.ask('DELETE', `${id}/`)
    expect(rest.json.entries).toMatchObject([{ id, copies: 1, left: 0 }])
    machine.finish()
    const { done } = await queue.until((one) => one.done.length === 1)
    expect(done[0]!.runs.map(({ state }) => state)).toEqual(['failed', 'finished'])
    expect(machine.orders).toHaveLength(2)
  })
})

describe('what is put in', () => {
  it('is the owner’s own: files, printers and entries of others are not there', async () => {
    const machine = await aMachine()
    const theirs = await upload(app, stranger, 'theirs.gcode')
    const refused = async (body: object) => {
      const { status, json } = await queue.ask('POST', '', body)
      return [status, Object.keys(json)]
    }
    expect(await refused({ g_code_file_id: theirs })).toEqual([400, ['g_code_file_id']])
    expect(await refused({ g_code_file_id: file, copies: 101 })).toEqual([400, ['copies']])
    expect(await refused({ g_code_file_id: file, printer_id: 2_000_000_000 })).toEqual([400, ['printer_id']])
    const asStranger = (method: string, path: string, body?: object) =>
      queue.ask(method, path, body, stranger)
    expect((await asStranger('POST', '', { g_code_file_id: theirs, printer_id: machine.id })).status).toBe(
      400,
    )
    const { id } = (await queue.add(file)).entries[0]!
    for (const [method, path, body] of [
      ['PATCH', `${id}/`, { on_hold: true }],
      ['DELETE', `${id}/`, undefined],
      ['POST', `${id}/move/`, { after: null, version: 0 }],
      ['PATCH', `printers/${machine.id}/`, { enabled: false }],
      ['POST', `printers/${machine.id}/bed_cleared/`, { bed: 0 }],
      ['DELETE', `printers/${machine.id}/bed_cleared/`, undefined],
    ] as const)
      expect([path, (await asStranger(method, path, body)).status]).toEqual([path, 404])
    expect((await asStranger('GET', '')).json).toMatchObject({ entries: [], printers: [] })
  })

  it('stands in one order: of two who move at once one is told, and whatever they do, nothing is lost', async () => {
    for (let at = 0; at < 5; at++) await queue.add(file)
    const { entries, version } = await queue.read()
    const ids = entries.map(({ id }) => id)
    const [a, b, c, d, e] = ids as [number, number, number, number, number]
    const move = (id: number, after: number | null, seen: number) =>
      queue.ask('POST', `${id}/move/`, { after, version: seen })
    const both = await Promise.all([move(e, a, version), move(c, null, version)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const first = both[0].status === 200 ? [a, e, b, c, d] : [c, a, b, d, e]
    expect((await queue.read()).entries.map(({ id }) => id)).toEqual(first)

    const restless = async (seed: number) => {
      for (let turn = 0; turn < 6; turn++) {
        const now = await queue.read()
        const one = now.entries[(seed * 7 + turn * 3) % 5]!.id
        const after = now.entries[(seed + turn) % 5]!.id
        await move(one, after === one ? null : after, now.version)
      }
    }
    await Promise.all([restless(1), restless(2), restless(3), queue.add(file)])
    const rows = await app.ctx.db
      .selectFrom('queueEntries')
      .select(['id', 'place'])
      .where('userId', '=', owner.id)
      .orderBy('place')
      .execute()
    expect(rows.map(({ place }) => place)).toEqual([1, 2, 3, 4, 5, 6])
    expect(rows.map(({ id }) => id).toSorted()).toEqual(expect.arrayContaining(ids.toSorted()))
    expect((await move(a, a, (await queue.read()).version)).status).toBe(409)
    expect((await move(a, 2_000_000_000, (await queue.read()).version)).status).toBe(409)
  })
})
