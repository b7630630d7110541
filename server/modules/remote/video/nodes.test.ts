import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aNode, aPrinter, aUser, type TestApp } from '../../../test/app.ts'
import { openRedis } from '../../../test/faults/nodes.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/pg.ts'
import { agentWithJanus, eventually, openPage, play } from './video.fixture.ts'

const redis = await openRedis()
let database: TestDatabase
let a: TestApp
let b: TestApp

describe.runIf(redis)('two nodes on one Redis', () => {
  beforeAll(async () => {
    database = await cloneDatabase()
    const env = { REDIS_URL: redis?.url ?? '', VIGIL_SECRET: randomBytes(32).toString('hex') }
    a = await aNode(database.url, env)
    b = await aNode(database.url, env)
  })
  afterAll(async () => {
    await a?.close()
    await redis?.close()
    await database?.drop()
  })

  it('take a viewer of the one to the agent of the other; one that goes, or its node, leaves nothing there', async () => {
    const owner = await aUser(a)
    const printer = await aPrinter(a, owner)
    const agent = await agentWithJanus(a, printer.auth_token)
    const path = `/ws/janus/${printer.id}/`
    const far = await openPage(b, path, owner.cookie)
    const near = await openPage(a, path, owner.cookie)
    const first = await play(far)
    const heard = near.heard.length
    agent.tell({ janus: 'media', session_id: first.session_id, sender: first.handle_id, receiving: true })
    await far.hear(({ janus }) => janus === 'media')
    expect(near.heard).toHaveLength(heard)
    const ended = () =>
      agent.asked.flatMap(({ janus, session_id }) => (janus === 'destroy' ? [session_id] : []))
    far.ws.terminate()
    await eventually(() => ended()[0])
    const last = await play(await openPage(b, path, owner.cookie))
    await b.close()
    await eventually(() => (ended().length === 2 ? true : undefined))
    expect(ended()).toEqual([first.session_id, last.session_id])
    near.ws.close()
    agent.close()
  })
})
