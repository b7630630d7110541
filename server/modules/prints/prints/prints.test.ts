import type { Print } from '@vigil/contract/prints/prints.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let printer: { id: number }
const ids: number[] = []

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Ender')
  const other = await aPrinter(app, owner, 'Other')
  const { db } = app.ctx
  const file = await db
    .insertInto('gCodeFiles')
    .values(
      asId({
        userId: owner.id,
        residentPrinterId: printer.id,
        filename: 'a.gcode',
        safeFilename: 'a.gcode',
        url: 'sub/a.gcode',
        agentSignature: 'ts:1',
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const now = new Date()
  for (const print of [
    { filename: 'finished', printerId: printer.id, finishedAt: now, gCodeFileId: file.id },
    { filename: 'cancelled', printerId: printer.id, cancelledAt: now },
    { filename: 'deleted', printerId: printer.id, finishedAt: now, deletedAt: now },
    { filename: 'other', printerId: other.id, finishedAt: now },
    { filename: 'running', printerId: printer.id },
  ]) {
    const row = await db
      .insertInto('prints')
      .values(asId({ ...print, userId: owner.id, startedAt: now }))
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(row.id)
  }
})
afterAll(() => app.close())

const list = async (query: string) => {
  const { status, json } = await call(app, 'GET', `/api/v1/prints/?${query}`, { cookie: owner.cookie })
  return { status, names: Array.isArray(json) ? json.map(({ filename }: Print) => filename) : json }
}

describe('prints', () => {
  it.each([
    ['', ['running', 'other', 'cancelled', 'finished']],
    ['sorting=date_asc', ['finished', 'cancelled', 'other', 'running']],
    ['start=1&limit=2', ['other', 'cancelled']],
    ['limit=9999', ['running', 'other', 'cancelled', 'finished']],
    ['filter=cancelled', ['cancelled']],
    ['filter=finished', ['other', 'finished']],
    ['filter=need_alert_overwrite', []],
    ['filter=need_print_shot_feedback', []],
    ['feedback_needed=none', ['running', 'other', 'cancelled', 'finished']],
    ['feedback_needed=need_alert_overwrite', []],
    ['feedback_needed=need_print_shot_feedback', []],
    ['to_date=2001-01-01&timezone=UTC', ['running', 'other', 'cancelled', 'finished']],
    ['limit=0', ['running']],
    ['limit=-7', ['running']],
    ['start=-1', ['running', 'other', 'cancelled', 'finished']],
    ['filter=bogus', ['running', 'other', 'cancelled', 'finished']],
    ['feedback_needed=cancelled', ['running', 'other', 'cancelled', 'finished']],
    ['sorting=up', ['running', 'other', 'cancelled', 'finished']],
    ['filter=none&with_deleted', ['running', 'other', 'deleted', 'cancelled', 'finished']],
  ])('list: %s', async (query, names) => {
    expect(await list(query)).toEqual({ status: 200, names })
  })

  it('the last print of one printer, with what it takes to print it again', async () => {
    for (const name of ['filter_by_printer_ids', 'filter_by_printer_ids[]'])
      expect((await list(`start=0&limit=1&sorting=date_desc&${name}=${printer.id}`)).names).toEqual([
        'running',
      ])
    const { json } = await call(app, 'GET', `/api/v1/prints/${ids[0]}/`, { cookie: owner.cookie })
    expect(json).toMatchObject({
      filename: 'finished',
      g_code_file: {
        filename: 'a.gcode',
        url: 'sub/a.gcode',
        agent_signature: 'ts:1',
        resident_printer: printer.id,
      },
    })
    const running = await call(app, 'GET', `/api/v1/prints/${ids[4]}/`, { cookie: owner.cookie })
    expect(running.json).toMatchObject({ g_code_file: null, ended_at: null })
  })

  it.each([
    'limit=x',
    'start=1.5',
    'filter_by_printer_ids=x',
    'from_date=2026-02-30&to_date=2026-03-01&timezone=UTC',
    'from_date=2026-1-1&to_date=2026-03-01&timezone=UTC',
    'from_date=2026-01-01&to_date=2026-01-01&timezone=Mars/Olympus',
    'from_date=2026-01-01&to_date=2026-01-01&timezone=%2B05:00',
  ])('refuses %s', async (query) => {
    expect((await list(query)).status).toBe(400)
  })

  it('a first day needs a last one and a time zone, and says which is missing', async () => {
    const { status, names } = await list('from_date=2026-01-01')
    expect(status).toBe(400)
    const required = ['This field is required.']
    expect(names).toEqual({ to_date: required, timezone: required })
    const one = await call(app, 'GET', `/api/v1/prints/${ids[0]}/?from_date=2026-01-01`, {
      cookie: owner.cookie,
    })
    expect(one.status).toBe(400)
  })

  it('are their owner’s alone', async () => {
    const stranger = await aUser(app)
    expect((await call(app, 'GET', '/api/v1/prints/', { cookie: stranger.cookie })).json).toEqual([])
    expect((await call(app, 'GET', `/api/v1/prints/${ids[0]}/`, { cookie: stranger.cookie })).status).toBe(
      404,
    )
    expect((await call(app, 'GET', `/api/v1/prints/${ids[2]}/`, { cookie: owner.cookie })).status).toBe(404)
  })
})

describe('prints of some days', () => {
  let keeper: TestUser
  const names = async (query: string) => {
    const { json } = await call(app, 'GET', `/api/v1/prints/?sorting=date_asc&${query}`, {
      cookie: keeper.cookie,
    })
    return (json as Print[]).map(({ filename }) => filename)
  }

  beforeAll(async () => {
    keeper = await aUser(app)
    const { id } = await aPrinter(app, keeper)
    for (const startedAt of [
      '2026-01-26T04:59:59.999Z',
      '2026-01-26T05:00:00Z',
      '2026-01-27T04:59:59.999Z',
      '2026-01-27T05:00:00Z',
      null,
    ])
      await app.ctx.db
        .insertInto('prints')
        .values({
          userId: keeper.id,
          printerId: id,
          filename: startedAt ?? 'never',
          startedAt: startedAt && new Date(startedAt),
          taggedVideo: startedAt === '2026-01-26T05:00:00Z' ? '{}' : null,
        })
        .execute()
  })

  it('begin and end at midnight of the zone that is asked for', async () => {
    const day = 'from_date=2026-01-26&to_date=2026-01-26'
    expect(await names(`${day}&timezone=America/New_York`)).toEqual([
      '2026-01-26T05:00:00Z',
      '2026-01-27T04:59:59.999Z',
    ])
    expect(await names(`${day}&timezone=UTC`)).toEqual(['2026-01-26T04:59:59.999Z', '2026-01-26T05:00:00Z'])
    expect(await names('from_date=2026-01-26&to_date=2026-01-27&timezone=UTC')).toHaveLength(4)
    expect(await names('from_date=2026-01-27&to_date=2026-01-26&timezone=UTC')).toEqual([])
    expect(await names('')).toHaveLength(5)
  })

  it('with the other filters', async () => {
    const day = 'from_date=2026-01-26&to_date=2026-01-26&timezone=America/New_York'
    expect(await names(`${day}&feedback_needed=need_alert_overwrite`)).toEqual(['2026-01-26T05:00:00Z'])
    expect(await names(`${day}&filter=finished&feedback_needed=need_alert_overwrite`)).toEqual([])
  })
})
