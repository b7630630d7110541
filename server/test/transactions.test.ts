import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ctx } from '../ctx.ts'
import { buildTestApp, type TestApp } from './app.ts'
import { takeReached } from './transactions.ts'

let app: TestApp
const picture = { container: 'tsd-pics', path: 'raw/1/1/1.jpg' } as const

beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

it.each<[string, (ctx: Ctx) => Promise<unknown>]>([
  ['live.get', ({ live }) => live.get('x')],
  ['live.publish', async ({ live }) => live.publish('x', 'y')],
  ['files.put', ({ files }) => files.put(picture, Buffer.from('x'))],
  ['detector.submit', ({ detector }) => detector.submit('x', Buffer.from('x'))],
  ['fetch', () => fetch(app.url)],
  ['another connection', ({ db }) => db.selectFrom('users').select('id').execute()],
  ['another connection', ({ db }) => db.transaction().execute(async () => undefined)],
])('a transaction does not reach %s, also where the error is caught', async (what, reach) => {
  const done = app.ctx.db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').execute()
    await nextTurn()
    await (async () => reach(app.ctx))().catch(() => undefined)
  })
  await expect(done).resolves.toBeUndefined()
  const all = takeReached()
  expect(all.map((one) => one.what)).toEqual([what])
  expect(all[0]?.stack, 'who did it').toContain('transactions.test.ts')
})

it('what it left running may, once it has ended', async () => {
  let later: Promise<unknown> = Promise.resolve()
  const ended = Promise.withResolvers<void>()
  await app.ctx.db.transaction().execute(async () => {
    later = ended.promise.then(() => app.ctx.live.get('x'))
  })
  ended.resolve()
  await later
  expect(takeReached()).toEqual([])
})
