import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Ctx } from '../../../ctx.ts'
import { scene } from '../../../engines/inference/fixtures/scene.ts'
import { conditionOf, type Condition } from '../../../engines/inference/quality.ts'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { followCamera, forgetCamera, keepViews } from './views.service.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let printerId: number
/** Statements that were sent for cameras. */
let statements = 0
let now = 0
let pictures = 0

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(() => app.close())

beforeEach(async () => {
  printerId = (await aPrinter(app, owner)).id
  statements = 0
  now = 1_000_000
})

/** A node of its own on the same database; its statements are counted. */
function aNode(): Ctx {
  const db = app.ctx.db.withPlugin({
    transformQuery({ node }) {
      statements++
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  // `live` is what a server's memory hangs on (server/lib/of-server.ts): a node of its own has one of its own
  return { ...app.ctx, db, live: Object.create(app.ctx.live) as Ctx['live'] }
}

/** Live pictures, 10 s apart; what was said of each. */
async function show(node: Ctx, count: number, change: Parameters<typeof scene>[0] = {}) {
  const told: (Condition | null)[] = []
  for (let i = 0; i < count; i++) {
    now += 10_000
    pictures++
    const thumbnail = scene({ seed: pictures, head: 12 + ((pictures * 5) % 40), ...change })
    const quality = { thumbnail, hash: String(pictures), condition: conditionOf(thumbnail) }
    told.push(await followCamera(node, asId(printerId), { quality, at: now, intervalMs: 10_000 }))
  }
  return told
}

const stored = async () =>
  (
    await app.ctx.db.selectFrom('cameraViews').selectAll().where('printerId', '=', asId(printerId)).execute()
  )[0]

test('twenty minutes of pictures are one read, and a write every five minutes', async () => {
  await show(aNode(), 120)
  expect(statements).toBeGreaterThanOrEqual(1 + 3)
  expect(statements).toBeLessThanOrEqual(1 + 4)
})

test('a camera that shows nothing new costs no statement at all', async () => {
  const node = aNode()
  await show(node, 60)
  await keepViews(node, [asId(printerId)])
  statements = 0
  await show(node, 60, { gain: 0.02 })
  await keepViews(node)
  expect(statements).toBe(0)
})

test('another node goes on from what was kept, although this one said no goodbye', async () => {
  await show(aNode(), 60)
  expect(await show(aNode(), 6, { dx: 20, dy: 13 })).toEqual([null, null, null, null, null, 'moved'])
  expect(await show(aNode(), 8)).toEqual(Array(8).fill(null))
})

test('what was learnt is written when the print or the server ends, for many cameras at once', async () => {
  const node = aNode()
  const others = await Promise.all([1, 2, 3].map(() => aPrinter(app, owner)))
  for (const { id } of [{ id: printerId }, ...others]) {
    printerId = id
    await show(node, 3)
  }
  statements = 0
  await keepViews(node)
  expect(statements).toBe(1)
  expect((await stored())?.view).toHaveLength(11 + 2 * 64 * 48)
  await keepViews(node)
  expect(statements).toBe(1)
})

test('nothing is kept of a printer that is deleted, whoever still has it in mind', async () => {
  const [node, other] = [aNode(), aNode()]
  await show(node, 3)
  await show(other, 3)
  await keepViews(node)
  await app.ctx.db
    .updateTable('printers')
    .set({ deletedAt: new Date() })
    .where('id', '=', asId(printerId))
    .execute()
  await forgetCamera(node, asId(printerId))
  expect(await stored()).toBeUndefined()
  await keepViews(other)
  expect(await stored()).toBeUndefined()
})

test('a database that is away costs no picture: the next write makes up for it', async () => {
  const node = aNode()
  await show(node, 3)
  const broken = { ...node, db: node.db.withSchema('nowhere') }
  await show(node, 1)
  await expect(keepViews(broken)).resolves.toBeUndefined()
  await keepViews(node, [asId(printerId)])
  expect(await stored()).toBeDefined()
})
