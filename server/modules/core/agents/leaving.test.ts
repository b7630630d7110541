import { afterAll, beforeAll, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, type TestApp } from '../../../test/app.ts'
import { countQueries } from '../../../test/queries.ts'
import { connectAgent, eventually } from '../../../test/wire/agent.ts'
import { readAgent } from '../presence/index.ts'

const MANY = 40

let app: TestApp

beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

it('agents that leave together cost the database a few statements, and each printer says since when it is offline', async () => {
  const owner = await aUser(app)
  const printers = await Promise.all(
    Array.from({ length: MANY }, (_, at) => aPrinter(app, owner, `P${at + 1}`)),
  )
  const agents = await Promise.all(printers.map(({ auth_token: token }) => connectAgent(app, token)))
  await Promise.all(
    agents.map((agent) => agent.hear(({ remote_status: greeting }) => greeting !== undefined)),
  )
  const offline = async () =>
    await app.ctx.db
      .selectFrom('printers')
      .select('id')
      .where('userId', '=', owner.id)
      .where('agentSeenAt', 'is not', null)
      .execute()
  expect(await offline()).toEqual([])

  const asked = await countQueries(app, async () => {
    for (const { ws } of agents) ws.terminate()
    await eventually(async () => ((await offline()).length === MANY ? true : undefined))
  })
  const written = asked.filter((one) => one.includes('update printers set agent_seen_at'))
  expect(written.length).toBeGreaterThan(0)
  expect(written.length).toBeLessThan(MANY / 4)
  for (const { id } of printers) expect(await readAgent(app.ctx, id)).toBeNull()
})
