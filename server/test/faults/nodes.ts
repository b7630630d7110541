import { createServer, connect, type Socket, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, missing } from './support.ts'

/** The way to a PostgreSQL, which can be cut, as by a restart, or forgotten, as by a router. */
export interface Way {
  readonly url: string
  cut(): Promise<void>
  /** The connections there are carry nothing any more, and nobody is told; new ones work. */
  forget(): void
  restore(): Promise<void>
  close(): Promise<void>
}

/** Opens a TCP way to the unix socket of the test run's PostgreSQL. */
export async function openWay(databaseUrl: string): Promise<Way> {
  const target = new URL(databaseUrl)
  const path = `${target.searchParams.get('host')}/.s.PGSQL.5432`
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const postgres = connect(path)
    const ends = [client, postgres] as const
    for (const [end, other] of [ends, [postgres, client] as const]) {
      sockets.add(end)
      end.on('error', () => other.destroy())
      end.on('close', () => {
        sockets.delete(end)
        other.destroy()
      })
      end.on('data', (data) => void other.write(data))
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const cut = async () => {
    const closed = server.listening ? once(server, 'close') : null
    if (closed) server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const port = await listen(0)
  return {
    url: `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`,
    cut,
    forget() {
      for (const socket of sockets) socket.removeAllListeners('data').resume()
    },
    async restore() {
      if (!server.listening) await listen(port)
    },
    close: cut,
  }
}

/** A Redis of its own; null, with a plain word, where there is none. */
export async function openRedis(): Promise<{
  url: string
  process: ChildProcess
  close(): Promise<void>
} | null> {
  const name = ['redis-server', 'valkey-server'].find((one) => {
    try {
      execFileSync(one, ['--version'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
  if (name === undefined) {
    missing('several nodes: redis-server is not installed (apt-get install redis-server)')
    return null
  }
  const port = await freePort()
  const child = spawn(name, ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/tmp',
  })
  for await (const text of child.stdout) if (/ready to accept/i.test(String(text))) break
  child.stdout.resume()
  return {
    url: `redis://127.0.0.1:${port}`,
    process: child,
    async close() {
      child.kill('SIGTERM')
      await Promise.race([once(child, 'exit'), sleep(3_000, undefined, { ref: false })])
    },
  }
}
