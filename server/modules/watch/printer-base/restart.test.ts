import { afterAll, beforeAll, expect, it } from 'vitest'
import { RESTARTS } from '../../../ctx.ts'
import { aNode, aPrinter, aUser, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/pg.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { greeted, idle } from '../../../test/faults/support.ts'

const SECRET = { VIGIL_SECRET: 'of both, before and after the restart' }
let database: TestDatabase
let app: TestApp
let owner: TestUser

beforeAll(async () => {
  database = await cloneDatabase()
  app = await aNode(database.url, SECRET)
  owner = await aUser(app)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

const agentOf = async (id: number) =>
  (await call(app, 'GET', `/api/v1/printers/${id}/`, { cookie: owner.cookie })).json.agent

/** An agent that has told who it is. */
async function anAgent(token: string) {
  const agent = await greeted(app, token)
  agent.send({ ...idle(1), settings: { agent: { name: 'octoprint_obico', version: '2.6.1' } } })
  return agent
}

it('after a restart an agent is waited for, for as long as it may need to come back', async () => {
  const [stays, comesBack, unlinked] = [
    await aPrinter(app, owner, 'Stays away'),
    await aPrinter(app, owner, 'Comes back'),
    await aPrinter(app, owner, 'Never had an agent'),
  ]
  for (const { id, auth_token } of [stays, comesBack]) {
    await anAgent(auth_token)
    await eventually(async () => ((await agentOf(id)).state === 'connected' ? true : undefined))
  }
  await app.close()
  app = await aNode(database.url, SECRET)

  expect(await agentOf(stays.id)).toMatchObject({ state: 'waiting', after_restart: true })
  expect(await agentOf(unlinked.id)).toMatchObject({ state: 'offline' })
  const agent = await anAgent(comesBack.auth_token)
  await eventually(async () => ((await agentOf(comesBack.id)).state === 'connected' ? true : undefined))
  expect((await agentOf(comesBack.id)).after_restart).toBeUndefined()
  // Who leaves now is gone, and not waited for.
  agent.close()
  await eventually(async () => ((await agentOf(comesBack.id)).state === 'offline' ? true : undefined))

  app.advance(151_000)
  expect(await agentOf(stays.id)).toMatchObject({ state: 'offline' })
  expect((await agentOf(stays.id)).after_restart).toBeUndefined()
})

it('a restart beckons agents, so that they report soon; a stop, after which they would be refused, does not', async () => {
  const { auth_token: token } = await aPrinter(app, owner, 'Beckoned')
  const told = ({ heard }: Awaited<ReturnType<typeof anAgent>>) => heard.filter((one) => one.remote_status)
  for (const [why, times] of [[RESTARTS, 2] as const, [undefined, 1] as const]) {
    const agent = await anAgent(token)
    await app.close(why)
    expect(await agent.end()).toBe(1001)
    expect(told(agent)).toHaveLength(times)
    app = await aNode(database.url, SECRET)
  }
})
