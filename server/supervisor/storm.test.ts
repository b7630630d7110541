import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { eventually } from '../test/wire/agent.ts'
import { openFilesOf, type RunningKeeper, startKeeper } from './supervisor.support.ts'

let keeper: RunningKeeper | undefined

afterEach(() => keeper?.end())

/** So many connections at once, which say nothing; resolves when they stand or were turned away. */
async function storm(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).resume())
  await Promise.all(
    sockets.map((socket) => {
      socket.on('error', () => undefined)
      return Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined)
    }),
  )
  return sockets
}

it('more connections than the system allows files are closed and counted, none is leaked, and the next are answered', async () => {
  const one = (keeper = await startKeeper({ openFiles: 256 }))
  const child = await one.childPid()
  const before = [openFilesOf(one.process.pid ?? 0), openFilesOf(child)] as const
  for (let round = 0; round < 4; round++) {
    const sockets = await storm(one.url, 600)
    // Nobody hangs: who is not taken is closed.
    await eventually(() => (sockets.filter(({ closed }) => !closed).length < 256 ? true : undefined))
    for (const socket of sockets) socket.destroy()
    // as soon as it has seen that they are gone
    const answering = await eventually(() => one.childPid().catch(() => undefined))
    expect(answering, 'the same server answers').toBe(child)
  }
  await eventually(() => (openFilesOf(one.process.pid ?? 0) <= before[0] + 2 ? true : undefined))
  await eventually(() => (openFilesOf(child) <= before[1] + 2 ? true : undefined))
  await eventually(() => (one.log().includes('connections were closed') ? true : undefined))
})
