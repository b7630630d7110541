import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aNode, aPrinter, aUser, blindDetector, type TestApp } from '../app.ts'
import { cloneDatabase, type TestDatabase } from '../pg.ts'
import { connectAgent, eventually } from '../wire/agent.ts'
import { openRedis } from './nodes.ts'
import { ask, greeted, postPicture, printing, shown } from './support.ts'

const redis = await openRedis()
const key = 1_790_000_000
let database: TestDatabase
let web: TestApp
let worker: TestApp

describe.runIf(redis)('ROLE=web and ROLE=worker on one database', () => {
  const env = { REDIS_URL: redis?.url ?? '', VIGIL_SECRET: randomBytes(32).toString('hex') }
  let looked = 0
  const detector = blindDetector({
    submit: async (_key, picture) => {
      looked += picture.length > 100 ? 1 : 0
      return { kind: 'inspected', inspection: await blindDetector().detect(picture) }
    },
  })
  const startWorker = () =>
    aNode(
      database.url,
      { ...env, DATABASE_URL: database.url, ROLE: 'worker', VIGIL_DATA: web.dataFolder },
      detector,
    )

  beforeAll(async () => {
    database = await cloneDatabase()
    web = await aNode(database.url, { ...env, DATABASE_URL: database.url, ROLE: 'web' })
  })
  afterAll(async () => {
    await worker?.close()
    await web?.close()
    await redis?.close()
    await database?.drop()
  })

  it('one without the other says what is missing; together they watch, and jobs run on the worker alone', async () => {
    const owner = await aUser(web)
    const printer = await aPrinter(web, owner)
    const agent = await greeted(web, printer.auth_token)
    agent.send(printing(key, 1))
    await shown(web, owner.cookie, printer.id, (one) => one.current_print !== null)

    // Nobody looks at pictures, and nobody claims it.
    expect((await postPicture(web, printer.auth_token)).status).toBe(200)
    await shown(web, owner.cookie, printer.id, ({ watch }) => watch.code === 'detector_down')
    const alone = await ask(web, 'GET', '/hc/?full=1')
    expect(alone.json).toMatchObject({ status: 'degraded', detector: { ok: false } })
    expect(alone.json.detector.error).toContain('ROLE=worker')
    // A web node enqueues and runs nothing: that the print has begun waits to be told.
    expect(await waiting(web)).toContain('event-toast')

    worker = await startWorker()
    await eventually(
      async () => ((await ask(web, 'GET', '/hc/?full=1')).json.detector.ok ? true : undefined),
      60_000,
    )
    // Whose turn it is stands in Redis, where a clock that is set here changes nothing.
    web.advance(10_000)
    await eventually(async () => {
      expect((await postPicture(web, printer.auth_token)).status).toBe(200)
      return looked > 0 ? true : undefined
    }, 60_000)
    await shown(web, owner.cookie, printer.id, ({ watch }) => watch.state === 'watching')
    expect(looked).toBe(1)
    // What waited in the database is worked off now.
    await eventually(async () => ((await waiting(web)).includes('event-toast') ? undefined : true))

    // The worker serves its health and nothing else.
    expect((await ask(worker, 'GET', '/hc/')).text).toBe('Okay')
    for (const path of ['/', '/api/v1/printers/', '/api/v1/auth/login/'])
      expect((await ask(worker, 'GET', path, { cookie: owner.cookie })).status).toBe(404)
    await expect(connectAgent(worker, printer.auth_token)).rejects.toThrow('refused 404')
    agent.close()
  })

  it('a worker that goes is missed within seconds', async () => {
    await worker.close()
    await eventually(
      async () => ((await ask(web, 'GET', '/hc/?full=1')).json.detector.ok ? undefined : true),
      60_000,
    )
  })
})

/** Names of the jobs that wait. */
async function waiting({ ctx }: TestApp): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pgboss.job where state = 'created'`.execute(
    ctx.db,
  )
  return rows.map(({ name }) => name)
}
