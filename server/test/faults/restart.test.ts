import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { inSuite } from '../../../scripts/suites.ts'
import { connectAgent, eventually, type WireAgent } from '../wire/agent.ts'
import { aFolder, ask, idle, printing, type Running, removeFolder, shown, up } from './support.ts'
import { asId } from '../ids.ts'

const AGENTS = inSuite(10, 50)
const folder = aFolder()
let server: Running | undefined

afterAll(async () => {
  await server?.stop()
  removeFolder(folder)
})

it(`a restart refuses nobody: ${AGENTS} agents come back, fresh connections wait, no answer is a 5xx`, async () => {
  server = await up(folder)
  const node = server
  const cookie = await node.signIn()
  const printers = await node.addPrinters(AGENTS)
  const fresh = await node.addPrinters(inSuite(4, 20))
  const key = Math.floor(Date.now() / 1000)
  const refusals: string[] = []
  const report = (index: number, n: number) =>
    index % 2 === 0 && index < printers.length ? printing(key, n) : idle(n)

  /** As agents do: connected again a moment after the end; a refusal would cost two minutes. */
  const held: (WireAgent | null)[] = []
  const stay = async (index: number): Promise<void> => {
    const token = [...printers, ...fresh][index]?.auth_token ?? ''
    const agent = await connectAgent(node, token).catch((error: unknown) => {
      refusals.push(`agent ${index}: ${String(error)}`)
      return null
    })
    held[index] = agent
    if (agent === null) return
    agent.send(report(index, 1))
    agent.ws.once('close', () => {
      if (!isOver) setTimeout(() => void stay(index), 100)
    })
  }
  let isOver = false
  await Promise.all(printers.map((_, index) => stay(index)))
  for (const [index, printer] of printers.entries())
    await shown(
      node,
      cookie,
      asId(printer.id),
      (one) => one.status?.n === 1 && (one.current_print !== null) === (index % 2 === 0),
    )

  let isRestarting = true
  let longest = 0
  let count = 0
  const poll = async () => {
    while (isRestarting) {
      const began = performance.now()
      // A connection of its own each time: a kept one could not be refused.
      const answer = await fetch(`${node.url}/api/v1/printers/`, {
        headers: { cookie, connection: 'close' },
      }).catch((error: unknown) => ({ status: String((error as Error).cause ?? error), body: null }))
      await answer.body?.cancel()
      longest = Math.max(longest, performance.now() - began)
      count++
      if (answer.status !== 200) refusals.push(`poll: ${answer.status}`)
      await sleep(inSuite(40, 10))
    }
  }
  const child = node.childPid()
  const polling = [poll(), poll()]
  expect(await node.vigil(['restart', '--json'])).toContain('pid')
  const came = fresh.map(async (_, index) => {
    await sleep(index * 60)
    await stay(printers.length + index)
  })
  // The next one loads beside it: what counts is that the old one is gone.
  await eventually(() => {
    try {
      process.kill(child, 0)
      return undefined
    } catch {
      return true
    }
  })
  await Promise.all(came)
  await eventually(() => (held.every((one) => one?.closed === null) ? true : undefined))
  const answered = count
  await eventually(() => count >= answered + 10 || undefined)
  isRestarting = false
  await Promise.all(polling)
  console.log(`restart: ${count} requests, the longest took ${Math.round(longest)} ms`)
  expect(refusals).toEqual([])
  for (const [index, agent] of held.entries()) agent?.send(report(index, 2))
  for (const [index, printer] of printers.entries()) {
    await shown(
      node,
      cookie,
      asId(printer.id),
      (one) =>
        one.agent.state === 'connected' &&
        one.status?.n === 2 &&
        (one.current_print !== null) === (index % 2 === 0),
    )
  }
  for (const { id } of fresh) await shown(node, cookie, asId(id), (one) => one.status?.n === 2)
  expect((await ask(node, 'GET', '/hc/')).status).toBe(200)
  isOver = true
  for (const agent of held) agent?.ws.terminate()
})
