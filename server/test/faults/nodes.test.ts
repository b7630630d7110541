import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keys, topics } from '../../modules/core/presence/names.ts'
import { allLookedAt } from '../../modules/watch/detection/index.ts'
import { aNode, aPrinter, aUser, blindDetector, type TestApp, type TestUser } from '../app.ts'
import { cloneDatabase, type TestDatabase } from '../pg.ts'
import { eventually } from '../wire/agent.ts'
import { openRedis } from './nodes.ts'
import {
  aFolder,
  ask,
  commandsOf,
  greeted,
  idle,
  postPicture,
  printing,
  removeFolder,
  shown,
  up,
} from './support.ts'

const redis = await openRedis()
let database: TestDatabase
let a: TestApp
let b: TestApp
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
const key = 1_790_000_000

afterAll(async () => {
  await a?.close()
  await b?.close()
  await redis?.close()
  await database?.drop()
})

/** Whose pictures the detectors of both nodes were given. */
const looks: string[] = []

/** A node's detector, that sees nothing. */
function counted() {
  const blind = blindDetector()
  const submit = (key: string, picture: Uint8Array) => {
    looks.push(key)
    return blind.submit(key, picture)
  }
  return { ...blind, submit }
}

/** What a browser of a node is shown, in order. */
async function watch(node: TestApp, printerId: number) {
  const ws = new WebSocket(`${node.wsUrl}/ws/web/${printerId}/`, {
    headers: { cookie: owner.cookie, origin: node.url },
  })
  const pushed: {
    status: { n: number } | null
    pic: { img_url: string } | null
    agent: { state: string }
  }[] = []
  ws.on('message', (data) => pushed.push(JSON.parse(String(data))))
  await eventually(() => (pushed.length > 0 ? true : undefined))
  return { ws, pushed }
}

const pause = (node: TestApp) =>
  ask(node, 'POST', `/api/v1/printers/${printer.id}/pause_print/`, { cookie: owner.cookie, body: {} })

describe.runIf(redis)('two nodes on one PostgreSQL and one Redis', () => {
  beforeAll(async () => {
    database = await cloneDatabase()
    const env = { REDIS_URL: redis?.url ?? '', VIGIL_SECRET: randomBytes(32).toString('hex') }
    a = await aNode(database.url, env, counted())
    // Pictures are in S3 in a company; one folder stands for it.
    b = await aNode(database.url, { ...env, VIGIL_DATA: a.dataFolder }, counted())
    owner = await aUser(a)
  })
  beforeEach(async () => {
    printer = await aPrinter(a, owner)
  })

  it('show each the agent of the other within a second, and their commands reach it once', async () => {
    const agent = await greeted(a, printer.auth_token)
    agent.send(printing(key, 1))
    await shown(b, owner.cookie, printer.id, (one) => one.current_print !== null)
    const browser = await watch(b, printer.id)
    await agent.hear((told) => told.remote_status?.viewing === true)
    const began = Date.now()
    agent.send(printing(key, 2))
    await eventually(() => (browser.pushed.some(({ status }) => status?.n === 2) ? true : undefined))
    expect(Date.now() - began).toBeLessThan(1_000)
    expect((await pause(b)).json).toMatchObject({ succeeded: true })
    expect((await pause(a)).json).toMatchObject({ succeeded: true })
    await eventually(() => (commandsOf(agent).length === 2 ? true : undefined))
    expect(commandsOf(agent)).toEqual(['pause', 'pause'])

    expect((await postPicture(b, printer.auth_token)).status).toBe(200)
    const { pic } = await shown(a, owner.cookie, printer.id, (one) => one.pic !== null)
    expect((await fetch(new URL(pic.img_url, a.url), { headers: { cookie: owner.cookie } })).status).toBe(200)
    await eventually(() => (browser.pushed.at(-1)?.pic ? true : undefined))
    browser.ws.terminate()
    await agent.hear((told) => told.remote_status?.viewing === false)
    agent.ws.terminate()
  })

  it('look at a printer as often as one node does, whichever takes its pictures', async () => {
    const agent = await greeted(a, printer.auth_token)
    const isOf = (name: string) => name === String(printer.id)
    const print = async (of: number) => {
      agent.send(printing(of, 1))
      await shown(b, owner.cookie, printer.id, (one) => one.current_print !== null)
    }
    const post = async () => {
      const posted = [a, b, a, b].map((node) => postPicture(node, printer.auth_token))
      expect((await Promise.all(posted)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
      await allLookedAt()
    }
    await print(key)
    await post()
    expect(looks.filter(isOf)).toHaveLength(1)

    // The first picture of the next print is looked at, by whichever node gets it.
    agent.send(idle(2))
    await shown(b, owner.cookie, printer.id, (one) => one.current_print === null)
    await print(key + 100)
    await post()
    expect(looks.filter(isOf)).toHaveLength(2)
    agent.ws.terminate()
  })

  it('move an agent: the old holder refuses what is addressed to it, nothing is delivered twice', async () => {
    const old = await greeted(a, printer.auth_token)
    old.send(printing(key + 1, 1))
    await shown(a, owner.cookie, printer.id, (one) => one.current_print !== null)
    const record = await a.ctx.live.get(keys.agent(printer.id))
    const { epoch } = JSON.parse(String(record)) as { epoch: number }
    // The lease goes to B while A still believes in its socket.
    const lease = await b.ctx.live.claim(keys.socket(printer.id), 'B', 60_000)
    const envelope = {
      id: 'x',
      kind: 'command',
      epoch,
      expiresAt: Date.now() + 5_000,
      printId: null,
      frame: { commands: [{ cmd: 'pause', args: {}, initiator: 'web' }] },
    }
    const answer = await b.ctx.live.request(topics.agent(printer.id, epoch), JSON.stringify(envelope), 5_000)
    expect(JSON.parse(String(answer))).toEqual({ sent: false, reason: 'stale_holder' })
    expect(commandsOf(old)).toEqual([])
    await lease.release()
    // The agent's machine hangs and comes back elsewhere.
    old.ws.pause()
    const moved = await greeted(b, printer.auth_token)
    moved.send(printing(key + 1, 2))
    await shown(a, owner.cookie, printer.id, (one) => one.status?.n === 2 && one.agent.state === 'connected')
    expect((await pause(a)).json).toMatchObject({ succeeded: true })
    await eventually(() => (commandsOf(moved).length > 0 ? true : undefined))
    old.ws.resume()
    await old.end()
    expect([commandsOf(old), commandsOf(moved)]).toEqual([[], ['pause']])
    moved.ws.terminate()
    await shown(a, owner.cookie, printer.id, (one) => one.agent.state === 'offline')
  })

  it('tell the truth about an agent whose node was killed, and take it in elsewhere', async () => {
    const folder = aFolder()
    const c = await up(folder, 0, {
      DATABASE_URL: database.url,
      REDIS_URL: redis?.url,
      VIGIL_SECRET: a.ctx.config.VIGIL_SECRET,
    })
    const agent = await greeted(c, printer.auth_token)
    agent.send(printing(key, 1))
    await shown(
      b,
      owner.cookie,
      printer.id,
      (one) => one.agent.state === 'connected' && one.current_print !== null,
    )
    const child = c.childPid()
    c.process.kill('SIGKILL')
    process.kill(child, 'SIGKILL')
    expect(await agent.end()).toBe(1006)
    // A minute later, for node B: nothing was heard of the agent, so nobody says that it is there.
    await b.ctx.live.put(keys.heard(printer.id), null, 0)
    await shown(b, owner.cookie, printer.id, (one) => one.agent.state === 'not_responding')
    expect((await pause(b)).json).toMatchObject({ succeeded: false })
    const moved = await greeted(b, printer.auth_token)
    moved.send(printing(key, 2))
    await shown(b, owner.cookie, printer.id, (one) => one.agent.state === 'connected' && one.status?.n === 2)
    expect((await pause(b)).json).toMatchObject({ succeeded: true })
    await eventually(() => (commandsOf(moved).length === 1 ? true : undefined))
    moved.ws.terminate()
    removeFolder(folder)
  })

  it('hold on while Redis is away, and find each other again', async () => {
    const agent = await greeted(a, printer.auth_token)
    agent.send(idle(1))
    const browser = await watch(b, printer.id)
    redis?.process.kill('SIGSTOP')
    const refused = await ask(b, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })
    expect(refused.status).toBe(503)
    redis?.process.kill('SIGCONT')
    await shown(b, owner.cookie, printer.id, () => true)
    agent.send(idle(5))
    await eventually(() => (browser.pushed.some(({ status }) => status?.n === 5) ? true : undefined))
    expect(agent.closed).toBeNull()
    agent.ws.terminate()
    browser.ws.terminate()
  })
})
