import { printShotFeedback } from '@vigil/contract/prints/prints.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
let printer: { id: number }
let printId: number
let shots: number[]

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  stranger = await aUser(app)
  printer = await aPrinter(app, owner)
})
afterAll(() => app.close())

async function aPrint(printerId: number | null = printer.id): Promise<number> {
  const print = { userId: owner.id, printerId, filename: 'cube.gcode', startedAt: new Date() }
  const { db } = app.ctx
  return (await db.insertInto('prints').values(asId(print)).returning('id').executeTakeFirstOrThrow()).id
}

async function addShots(id: number, count: number, from = 0): Promise<number[]> {
  const rows = await app.ctx.db
    .insertInto('printShotFeedbacks')
    .values(
      asId(
        Array.from({ length: count }, (_, at) => from + at).map((at) => ({
          printId: id,
          image: JSON.stringify({ container: 'tsd-pics', path: `ff_printshots/${owner.id}/${id}/${at}.jpg` }),
          takenAt: new Date(Date.UTC(2026, 10, 1, 12, at * 2)),
        })),
      ),
    )
    .returning('id')
    .execute()
  return rows.map(({ id: shot }) => shot)
}

beforeEach(async () => {
  printId = await aPrint()
  shots = await addShots(printId, 3)
})

const get = (path: string, who = owner) =>
  call(app, 'GET', `/api/v1/printshotfeedbacks/${path}`, { cookie: who.cookie })
const say = (id: number, answer: unknown, { who = owner, query = '', method = 'PUT' } = {}) =>
  call(app, method, `/api/v1/printshotfeedbacks/${id}/${query}`, { token: who.token, body: { answer } })
const hours = async () =>
  (await call(app, 'GET', '/api/v1/users/me/', { cookie: owner.cookie })).json.dh_balance as number
const print = async () =>
  (await call(app, 'GET', `/api/v1/prints/${printId}/`, { cookie: owner.cookie })).json

test('owners see the pictures they are asked about, with their print and by themselves', async () => {
  const { json } = await get(`?print_id=${printId}`)
  expect(printShotFeedback.strict().array().parse(json)).toEqual(
    shots.map((id, at) => ({
      id,
      print_id: printId,
      image_url: expect.stringMatching(
        new RegExp(`^${app.url}/media/tsd-pics/ff_printshots/${owner.id}/${printId}/${at}.jpg\\?digest=`),
      ),
      answer: null,
      answered_at: null,
    })),
  )
  expect((await get(`${shots[1]}/`)).json).toEqual(json[1])
  expect(await print()).toMatchObject({ need_print_shot_feedback: true, printshotfeedback_set: json })
  expect((await get('')).json).toEqual(expect.arrayContaining(json))
  expect((await get('', stranger)).json).toEqual([])
  expect((await get(`${shots[1]}/`, stranger)).status).toBe(404)
  expect((await get(`${shots[1]}/?print_id=${printId + 1}`)).status).toBe(404)
})

test('the last answer of a print earns two hours, once, also when no print is named', async () => {
  const before = await hours()
  const first = await say(shots[0]!, 'LOOKS_BAD', { query: `?print_id=${printId}` })
  expect(first).toMatchObject({
    status: 200,
    json: {
      instance: { id: shots[0], answer: 'LOOKS_BAD', answered_at: expect.stringMatching(/Z$/) },
      credited_dhs: 0,
    },
  })
  expect((await say(shots[1]!, 'UNDECIDED', { method: 'PATCH' })).json.credited_dhs).toBe(0)
  expect((await print()).need_print_shot_feedback).toBe(true)
  // Changed while another is still open: not the last one.
  expect((await say(shots[0]!, 'LOOKS_OK')).json).toMatchObject({
    instance: { answer: 'LOOKS_OK' },
    credited_dhs: 0,
  })
  expect((await say(shots[2]!, 'LOOKS_OK')).json.credited_dhs).toBe(2)
  expect(await hours()).toBe(before + 2)
  expect((await print()).need_print_shot_feedback).toBe(false)
  for (const shot of shots) expect((await say(shot, 'LOOKS_BAD')).json.credited_dhs).toBe(0)
  // Asked about more of the same print: its hours were earned.
  const [late] = await addShots(printId, 1, 3)
  expect((await say(late!, 'LOOKS_OK')).json.credited_dhs).toBe(0)
  expect(await hours()).toBe(before + 2)
})

test('one answered last by several hands at once earns once', async () => {
  const before = await hours()
  const answers = await Promise.all([...shots, ...shots].map((shot) => say(shot, 'LOOKS_OK')))
  const credited = answers.map(({ json }) => json.credited_dhs as number)
  expect(credited.toSorted()).toEqual([0, 0, 0, 0, 0, 2])
  expect(await hours()).toBe(before + 2)
})

test('what is no answer, and what is not theirs, is refused and changes nothing', async () => {
  for (const wrong of ['GOOD', '', null, 7, undefined]) {
    const answer = await say(shots[0]!, wrong)
    expect([wrong, answer.status, Object.keys(answer.json)]).toEqual([wrong, 400, ['answer']])
  }
  expect((await say(shots[0]!, 'LOOKS_OK', { who: stranger })).status).toBe(404)
  expect((await say(shots[0]!, 'LOOKS_OK', { query: `?print_id=${printId + 1}` })).status).toBe(404)
  await app.ctx.db
    .updateTable('prints')
    .set({ deletedAt: new Date() })
    .where('id', '=', asId(printId))
    .execute()
  expect((await say(shots[0]!, 'LOOKS_OK')).status).toBe(404)
  expect((await get(`?print_id=${printId}`)).json).toEqual([])
  const kept = await app.ctx.db
    .selectFrom('printShotFeedbacks')
    .select('answer')
    .where('printId', '=', asId(printId))
    .execute()
  expect(kept).toEqual([{ answer: null }, { answer: null }, { answer: null }])
})

test('an uploaded video is asked about too; lists find what waits for an answer', async () => {
  const uploaded = await aPrint(null)
  const [shot] = await addShots(uploaded, 1)
  const waiting = async () => {
    const query = 'feedback_needed=need_print_shot_feedback&limit=200'
    const { json } = await call(app, 'GET', `/api/v1/prints/?${query}`, { cookie: owner.cookie })
    return (json as { id: number }[]).map(({ id }) => id)
  }
  expect(await waiting()).toEqual(expect.arrayContaining([uploaded, printId]))
  expect((await say(shot!, 'LOOKS_BAD')).json.credited_dhs).toBe(2)
  expect(await waiting()).not.toContain(uploaded)
  expect((await say(shot!, 'LOOKS_BAD', { who: stranger })).status).toBe(404)
})
