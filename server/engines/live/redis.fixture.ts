import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Live, LiveLog } from './port.ts'
import { openRedisLive } from './redis.ts'

/** Which server there is; in CI there must be one (`apt-get install redis-server`). */
function findRedis(): string | null {
  for (const name of ['redis-server', 'valkey-server']) {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' })
      return name
    } catch {
      // The next name.
    }
  }
  if (process.env.CI === 'true') throw new Error('redis-server is missing: apt-get install redis-server')
  console.warn('redis-server is not installed: the Redis adapter of live is not tested')
  return null
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** A Redis of their own for the tests of a file, if one is installed. */
export function redisLab(log: LiveLog) {
  const redis = findRedis()
  let folder = ''
  let port = 0
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    server = spawn(redis!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const text of server.stdout!) if (/ready to accept/i.test(String(text))) break
    server.stdout!.resume()
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    server.kill(signal)
    await once(server, 'exit')
  }

  beforeAll(async () => {
    if (redis === null) return
    folder = await mkdtemp(join(tmpdir(), 'vigil-redis-'))
    port = await freePort()
    await start()
  })

  afterAll(async () => {
    await stop()
    if (folder !== '') await rm(folder, { recursive: true, force: true })
  })

  return {
    isThere: redis !== null,
    start,
    stop,
    /** `user:password@` may stand before the host. */
    url: (who = '') => `redis://${who}127.0.0.1:${port}`,
    signal: (signal: NodeJS.Signals) => server!.kill(signal),
    open: (): Promise<Live> => openRedisLive(`redis://127.0.0.1:${port}`, log),
  }
}
