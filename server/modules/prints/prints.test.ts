import type { Print } from '@vigil/contract/prints.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../test/app.ts'

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
    .values({
      userId: owner.id,
      residentPrinterId: printer.id,
      filename: 'a.gcode',
      safeFilename: 'a.gcode',
      url: 'sub/a.gcode',
      agentSignature: 'ts:1',
    })
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
      .values({ ...print, userId: owner.id, startedAt: now })
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
      printer: { id: printer.id, name: 'Ender' },
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

  it.each(['limit=0', 'limit=x', 'start=-1', 'filter=maybe', 'sorting=up', 'filter_by_printer_ids=x'])(
    'refuses %s',
    async (query) => {
      expect((await list(query)).status).toBe(400)
    },
  )

  it('are their owner’s alone', async () => {
    const stranger = await aUser(app)
    expect((await call(app, 'GET', '/api/v1/prints/', { cookie: stranger.cookie })).json).toEqual([])
    expect((await call(app, 'GET', `/api/v1/prints/${ids[0]}/`, { cookie: stranger.cookie })).status).toBe(
      404,
    )
    expect((await call(app, 'GET', `/api/v1/prints/${ids[2]}/`, { cookie: owner.cookie })).status).toBe(404)
  })
})
