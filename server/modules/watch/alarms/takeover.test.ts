/** Who looks after the prints dies: another node does, and tells what there is to be told, once. */
import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { aNode, aPrinter, aUser, call, type TestApp } from '../../../test/app.ts'
import { openRedis } from '../../../test/faults/nodes.ts'
import {
  aFolder,
  greeted,
  hasEnded,
  postPicture,
  printing,
  removeFolder,
  type Running,
  shown,
  up,
} from '../../../test/faults/support.ts'
import { cloneDatabase } from '../../../test/pg.ts'
import { eventually } from '../../../test/wire/agent.ts'

const redis = await openRedis()
const folder = aFolder()
const STEP_MS = 5_000
let killed: Running | undefined
let app: TestApp | undefined
let drop: (() => Promise<void>) | undefined

afterAll(async () => {
  if (killed && !hasEnded(killed.process)) await killed.stop()
  await app?.close()
  await redis?.close()
  await drop?.()
  removeFolder(folder)
})

test.runIf(redis)(
  'the node that looks is killed: another looks within three rounds, and tells once what is no longer watched',
  async () => {
    const database = await cloneDatabase()
    drop = () => database.drop()
    const env = {
      REDIS_URL: redis?.url ?? '',
      VIGIL_SECRET: randomBytes(32).toString('hex'),
      DETECTION_TIME_SCALE: '100',
    }
    const node = (killed = await up(folder, 0, { ...env, DATABASE_URL: database.url }))
    const other = (app = await aNode(database.url, env))
    const rounds = async () => await other.ctx.db.selectFrom('watchRounds').selectAll().execute()
    const owners = () =>
      Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((part) => other.ctx.live.get(`alarms:part:${part}`)))
    await eventually(async () => ((await owners()).every((one) => one !== null) ? true : undefined))
    const before = new Set((await owners()).map(String))

    const owner = await aUser(other)
    const printer = await aPrinter(other, owner)
    const agent = await greeted(other, printer.auth_token)
    agent.send(printing(1_790_000_000, 1))
    await shown(other, owner.cookie, printer.id, (one) => one.current_print !== null, 60_000)
    await postPicture(other, printer.auth_token)
    await shown(other, owner.cookie, printer.id, ({ watch }) => watch.state === 'watching', 60_000)

    const child = node.childPid()
    node.process.kill('SIGKILL')
    process.kill(child, 'SIGKILL')
    const at = new Date()
    await eventually(
      async () => ((await rounds()).filter((one) => one.at > at).length === 8 ? true : undefined),
      60_000,
    )
    expect(new Set((await owners()).map(String)).size, 'one node has all of them').toBe(1)
    expect(before.size).toBeGreaterThanOrEqual(1)

    const told = async () =>
      (
        (await call(other, 'GET', '/api/v1/printer_events/', { cookie: owner.cookie })).json as {
          event_title: string
        }[]
      ).filter(({ event_title: title }) => title === 'No longer watching').length
    // No picture comes any more. Five seconds at a time, and each time every print is looked at.
    let steps = 0
    while ((await told()) === 0 && steps < 20) {
      steps++
      other.advance(STEP_MS)
      agent.send(printing(1_790_000_000, 1 + steps))
      const now = new Date(other.ctx.clock.now())
      await eventually(
        async () => ((await rounds()).every((one) => one.at >= now) ? true : undefined),
        60_000,
      )
    }
    expect(steps * STEP_MS).toBeLessThanOrEqual(25_000 + 2 * STEP_MS)
    for (let i = 0; i < 3; i++) {
      other.advance(STEP_MS)
      const now = new Date(other.ctx.clock.now())
      await eventually(
        async () => ((await rounds()).every((one) => one.at >= now) ? true : undefined),
        60_000,
      )
    }
    expect(await told()).toBe(1)
    agent.ws.terminate()
  },
  600_000,
)
