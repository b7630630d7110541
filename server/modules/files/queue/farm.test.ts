import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aPrinter, aUser, type TestApp, type TestUser } from '../../../test/app.ts'
import { openRedis } from '../../../test/faults/nodes.ts'
import { twoNodes } from '../../../test/faults/two-nodes.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { type HandAgent, handAgent, queueOf, upload } from './queue.fixture.ts'
import { startNext } from '../queue-start/next.service.ts'

const redis = await openRedis()
let close: (() => Promise<void>) | undefined
let a: TestApp
let b: TestApp
let owner: TestUser
const agents: HandAgent[] = []
const queue = queueOf(
  () => a,
  () => owner,
)
const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
const ordered = () => sum(agents.map(({ orders }) => orders.length))

async function printers(count: number): Promise<HandAgent[]> {
  const made = await Promise.all(Array.from({ length: count }, (_, at) => aPrinter(a, owner, `P${at + 1}`)))
  const joined = await Promise.all(made.map((printer, at) => handAgent(at % 2 ? a : b, printer, { owner })))
  agents.push(...joined)
  return joined
}

describe.runIf(redis)('two nodes on one Redis', () => {
  beforeAll(async () => {
    ;({ a, b, close } = await twoNodes(redis))
    // Nodes of one farm have their files in common.
    Object.assign(b.ctx, { files: a.ctx.files })
  })
  beforeEach(async () => {
    owner = await aUser(a)
  })
  afterEach(() => {
    for (const agent of agents.splice(0)) agent.close()
  })
  afterAll(async () => {
    await close?.()
  })

  it('twelve printers get free in the same second: each gets one print, in the order of the list', async () => {
    const shared = await upload(a, owner, 'shared.gcode')
    const single = await upload(a, owner, 'single.gcode')
    const twelve = await printers(12)
    await queue.add(shared, { copies: 9 })
    await queue.add(single, { printer_id: twelve[0]!.id })
    await queue.add(single, { copies: 9 })
    const answers = await Promise.all(twelve.map(({ id }) => queue.clear(id)))
    expect(answers.map(({ status }) => status)).toEqual(twelve.map(() => 200))
    // Whoever else looks meanwhile, on any node, finds nothing more to do.
    await Promise.all([a, b, a, b, a, b].map((node) => startNext(node.ctx, owner.id)))
    await eventually(
      () => (ordered() >= 12 ? true : undefined),
      60_000,
      () => String(ordered()),
    )
    const { entries } = await queue.until(
      ({ entries: now }) => sum(now.map(({ runs }) => runs.length)) === 12,
    )
    expect(entries[0]).toMatchObject({ left: 0 })
    for (const machine of twelve) machine.print()
    await queue.until(({ printers: now }) => now.every(({ obstacle }) => obstacle === 'busy'))
    await Promise.all([a, b].map((node) => startNext(node.ctx, owner.id)))
    expect(twelve.map(({ orders }) => orders.length)).toEqual(twelve.map(() => 1))
    const rows = await a.ctx.db.selectFrom('queueStarts').select(['printerId', 'bed']).execute()
    expect(new Set(rows.map(({ printerId }) => printerId)).size).toBe(12)
  })

  it('whoever dies between the decision and the command: it is sent once, by another, or not at all', async () => {
    const file = await upload(a, owner, 'once.gcode')
    const [machine] = await printers(1)
    const { id } = machine!
    await queue.add(file)
    // Both nodes stop in the moment before they would hand it over, and never go on.
    const { files } = a.ctx
    const { stat } = files
    Object.assign(files, { stat: () => new Promise<never>(() => undefined) })
    expect((await queue.clear(id)).status).toBe(200)
    await queue.until(({ entries }) => entries[0]?.runs[0]?.state === 'sending')
    Object.assign(files, { stat })
    expect(machine!.orders).toEqual([])
    // Nobody takes it up before it is sure that it will not be sent any more; then the same bed still counts.
    await startNext(b.ctx, owner.id)
    expect(machine!.orders).toEqual([])
    for (const node of [a, b]) node.advance(31_000)
    await queue.until(({ printers: now }) => now[0]?.obstacle === 'refused')
    for (const node of [a, b]) node.advance(16_000)
    machine!.idle()
    await queue.until(() => machine!.orders.length > 0)
    machine!.print()
    await queue.until(({ entries }) => entries[0]?.runs[0]?.state === 'printing')

    // It died right after the command: what was sent is found, and not sent again.
    machine!.finish()
    await queue.add(file)
    await queue.until(({ printers: now }) => now[0]?.obstacle === 'not_cleared')
    await queue.clear(id)
    await eventually(() => (machine!.orders.length === 2 ? true : undefined))
    await eventually(async () => {
      const { numUpdatedRows } = await a.ctx.db
        .updateTable('queueStarts')
        .set({ state: 'sending', cloudPrintId: null })
        .where('state', '=', 'sent')
        .executeTakeFirst()
      return numUpdatedRows > 0n ? true : undefined
    })
    machine!.print()
    for (const node of [a, b]) node.advance(31_000)
    await queue.until(({ entries }) => entries[0]?.runs[0]?.state === 'printing')
    expect(machine!.orders).toHaveLength(2)
  })
})
