import { print as printSchema, type Print } from '@vigil/contract/prints/prints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { byServer } from '../../core/access/index.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { applyReport } from './prints.service.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
let printerId: number
beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  printerId = (await aPrinter(app, owner)).id
})

const ask = async (method: string, path: string, body?: object, who = owner) =>
  await call(app, method, `/api/v1/prints/${path}`, { cookie: who.cookie, ...(body && { body }) })
const add = async (values: object = {}) => {
  const print = { userId: owner.id, printerId, filename: 'x.gcode', finishedAt: new Date(), ...values }
  const row = await app.ctx.db
    .insertInto('prints')
    .values(asId(print))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
const rowOf = async (id: number) =>
  await app.ctx.db.selectFrom('prints').selectAll().where('id', '=', asId(id)).executeTakeFirstOrThrow()

describe('an owner’s words about a print', () => {
  it.each(['PATCH', 'PUT'])('%s writes those two, and answers the whole print', async (method) => {
    const id = await add({ alertedAt: new Date(), taggedVideo: '{}' })
    const before: Print = (await ask('GET', `${id}/`)).json
    const { status, json } = await ask(method, `${id}/`, {
      alert_overwrite: 'NOT_FAILED',
      access_consented_at: '2026-03-01T12:00:00+02:00',
    })
    expect(status).toBe(200)
    expect(printSchema.strict().parse(json)).toEqual(json)
    expect(json).toEqual({
      ...before,
      alert_overwrite: 'NOT_FAILED',
      need_alert_overwrite: false,
      access_consented_at: '2026-03-01T10:00:00.000Z',
    })
    expect((await ask('GET', `${id}/`)).json).toEqual(json)
  })

  it('each by itself, taken back by null or by an empty field of a form; nothing else is written', async () => {
    const id = await add({ alertOverwrite: 'FAILED', accessConsentedAt: new Date() })
    await ask('PATCH', `${id}/`, { alert_overwrite: null, filament_used: 1, print_time: 1, filename: 'y' })
    expect(await rowOf(id)).toMatchObject({
      alertOverwrite: null,
      accessConsentedAt: expect.any(Date),
      filamentUsed: null,
      printTime: null,
      filename: 'x.gcode',
      alertAcknowledgedAt: null,
    })
    const { status } = await fetch(`${app.url}/api/v1/prints/${id}/`, {
      method: 'PATCH',
      headers: { cookie: owner.cookie },
      body: new URLSearchParams({ access_consented_at: '', alert_overwrite: 'FAILED' }),
    })
    expect(status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ alertOverwrite: 'FAILED', accessConsentedAt: null })
    await ask('PATCH', `${id}/`, {})
    expect(await rowOf(id)).toMatchObject({ alertOverwrite: 'FAILED' })
  })

  it.each([
    ['alert_overwrite', 'MAYBE'],
    ['alert_overwrite', 1],
    ['access_consented_at', 'yes'],
    ['access_consented_at', '2026-03-01T12:00:00'],
  ])('refuses %s %s', async (field, value) => {
    const { status, json } = await ask('PATCH', `${await add()}/`, { [field]: value })
    expect([status, Object.keys(json)]).toEqual([400, [field]])
  })

  it('about another’s or a deleted one are not heard', async () => {
    const body = { alert_overwrite: 'FAILED' }
    expect((await ask('PATCH', `${await add()}/`, body, stranger)).status).toBe(404)
    expect((await ask('PATCH', `${await add({ deletedAt: new Date() })}/`, body)).status).toBe(404)
    expect((await ask('PATCH', 'x/', body)).status).toBe(404)
  })
})

describe('a deleted print', () => {
  it('is gone from everywhere, but for who asks for deleted ones', async () => {
    const id = await add()
    const { status, text } = await ask('DELETE', `${id}/`)
    expect([status, text]).toEqual([204, ''])
    expect((await ask('GET', `${id}/`)).status).toBe(404)
    expect((await ask('DELETE', `${id}/`)).status).toBe(404)
    expect((await ask('GET', `?filter_by_printer_ids[]=${printerId}`)).json).toEqual([])
    const { deletedAt } = await rowOf(id)
    app.advance(60_000)
    expect((await ask('DELETE', `${id}/?with_deleted`)).status).toBe(204)
    expect((await rowOf(id)).deletedAt).toEqual(deletedAt)
    expect((await ask('GET', `${id}/?with_deleted`)).json).toMatchObject({ id })
  })

  it('stays so, whatever its agent goes on telling of it', async () => {
    const startedAt = new Date(app.ctx.clock.now() - 3_600_000)
    const id = await add({ finishedAt: null, extId: 77, startedAt })
    await app.ctx.db
      .updateTable('printers')
      .set({ currentPrintId: id })
      .where('id', '=', asId(printerId))
      .execute()
    expect((await ask('DELETE', `${id}/`)).status).toBe(204)
    const progress = { completion: 100, printTime: 3600, filamentUsed: 5, planned: null }
    const report = { fileName: 'x.gcode', fileId: null, isLive: false, progress, last: null }
    const tellOf = (more: { printTs: number; event: string | null }) =>
      applyReport(app.ctx, byServer(asId(printerId)), { ...report, ...more })
    await tellOf({ printTs: 77, event: 'PrintDone' })
    expect(await rowOf(id)).toMatchObject({ finishedAt: expect.any(Date), deletedAt: expect.any(Date) })
    const again = await tellOf({ printTs: 77, event: null })
    expect(again).toMatchObject({ print: null, refused: { extId: 77 } })
    expect(await rowOf(id)).toMatchObject({ deletedAt: expect.any(Date) })
    expect((await ask('GET', `?filter_by_printer_ids[]=${printerId}`)).json).toEqual([])
  })

  it.each(['DELETE', 'POST'])('by %s is its owner’s alone', async (method) => {
    const id = await add()
    const { status } =
      method === 'DELETE'
        ? await ask('DELETE', `${id}/`, undefined, stranger)
        : await ask('POST', 'bulk_delete/', { print_ids: [id] }, stranger)
    expect(status).toBe(method === 'DELETE' ? 404 : 204)
    expect((await rowOf(id)).deletedAt).toBeNull()
  })

  it('goes with others in one call; ids of others and of nothing are ignored', async () => {
    const [a, b, kept] = [await add(), await add({ printerId: null, uploadedAt: new Date() }), await add()]
    const theirPrinter = (await aPrinter(app, stranger)).id
    const foreign = await add({ userId: stranger.id, printerId: theirPrinter })
    const body = { print_ids: [a, b, b, foreign, 2_000_000_000] }
    const { status, text } = await ask('POST', 'bulk_delete/', body)
    expect([status, text]).toEqual([204, ''])
    const states = [a, b, kept, foreign].map(async (id) => (await rowOf(id)).deletedAt !== null)
    expect(await Promise.all(states)).toEqual([true, true, false, false])
    expect((await ask('POST', 'bulk_delete/', { print_ids: [] })).status).toBe(204)
    for (const print_ids of ['x', [-1], [1.5], null])
      expect((await ask('POST', 'bulk_delete/', { print_ids })).status).toBe(400)
    expect((await ask('POST', 'bulk_delete/', {})).status).toBe(400)
  })
})

describe('what prints come to', () => {
  it('with the filters of the list, by months of the zone', async () => {
    const at = (day: string) => ({ startedAt: new Date(day), printTime: 60, filamentUsed: 1.5 })
    await add(at('2026-01-31T23:30:00Z'))
    await add({ ...at('2026-02-10T00:00:00Z'), taggedVideo: '{}' })
    await add({ ...at('2026-02-11T00:00:00Z'), cancelledAt: new Date(), filamentUsed: null })
    await add({ ...at('2026-02-12T00:00:00Z'), finishedAt: null })
    await add({ ...at('2026-02-12T00:00:00Z'), deletedAt: new Date() })
    const mine = `filter_by_printer_ids=${printerId}`
    const { json } = await ask('GET', `totals/?${mine}`)
    expect(json).toEqual({
      count: 3,
      print_time: 180,
      filament_used: 3,
      failed: 0,
      failed_cancelled: 0,
      succeeded: 2,
      cancelled: 1,
      running: 1,
      need_alert_overwrite: 1,
      months: [
        { month: '2026-02', count: 2, print_time: 120, filament_used: 1.5 },
        { month: '2026-01', count: 1, print_time: 60, filament_used: 1.5 },
      ],
    })
    const berlin = (await ask('GET', `totals/?${mine}&timezone=Europe/Berlin`)).json
    expect(berlin.months).toEqual([{ month: '2026-02', count: 3, print_time: 180, filament_used: 3 }])
    expect((await ask('GET', `totals/?${mine}&filter=cancelled`)).json).toMatchObject({
      count: 1,
      running: 0,
    })
    expect((await ask('GET', `totals/?${mine}&from_date=2026-01-01`)).status).toBe(400)
    expect((await ask('GET', `totals/?${mine}`, undefined, stranger)).json).toMatchObject({
      count: 0,
      months: [],
    })
    await add({ ...at('2026-02-13T00:00:00Z'), cancelledAt: new Date(), alertOverwrite: 'FAILED' })
    const sums = async (query: string) => (await ask('GET', `totals/?${mine}&${query}`)).json
    expect(await sums('')).toMatchObject({ count: 4, cancelled: 2, failed: 1, failed_cancelled: 1 })
    expect(await sums('failed=true')).toMatchObject({ count: 1, cancelled: 1 })
    expect(await sums('filter=cancelled&failed=false')).toMatchObject({ count: 1, failed: 0 })
  })
})

describe('a list that is read on', () => {
  it('goes on after the last print that one has, whatever came, ended or went meanwhile', async () => {
    const ids = [await add(), await add({ finishedAt: null }), await add(), await add()]
    const mine = `filter_by_printer_ids=${printerId}&limit=2`
    const idsOf = async (query: string) =>
      ((await ask('GET', `?${mine}&${query}`)).json as Print[]).map(({ id }) => id)
    const first = await idsOf('')
    await app.ctx.db.updateTable('prints').set({ finishedAt: new Date() }).where('id', '=', ids[1]!).execute()
    const later = await add()
    await ask('DELETE', `${first[1]}/`)
    expect([first, await idsOf(`after=${first[1]}`)]).toEqual([
      [ids[3], ids[2]],
      [ids[1], ids[0]],
    ])
    expect(await idsOf(`after=${ids[3]}&sorting=date_asc`)).toEqual([later])
    expect(await idsOf(`after=${ids[0]}`)).toEqual([])
    expect((await ask('GET', '?after=x')).status).toBe(400)
  })

  it('knows uploaded time-lapses', async () => {
    const uploaded = await add({ printerId: null, uploadedAt: new Date(), filename: 'up.mp4' })
    const ids = async (query: string) =>
      ((await ask('GET', `?limit=200&${query}`)).json as Print[]).map(({ id }) => id)
    expect(await ids('uploaded=true')).toContain(uploaded)
    expect(await ids('uploaded=false')).not.toContain(uploaded)
    expect(await ids('')).toContain(uploaded)
    const only = (await ask('GET', '?uploaded=true&limit=200')).json as Print[]
    expect(only.every(({ uploaded_at, printer }) => uploaded_at !== null && printer === null)).toBe(true)
  })
})

it.each(['/prints/', '/prints'])('the old page %s leads to the history for good', async (path) => {
  const answer = await fetch(`${app.url}${path}?filter=cancelled`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([301, '/print_history/?filter=cancelled'])
})
