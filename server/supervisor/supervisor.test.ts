import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { inSuite } from '../../scripts/suites.ts'
import { AlreadyRunning, readPidFile, takePidFile } from './pid-file.ts'

interface Line {
  port: number
  failed?: string
}

interface Keeper {
  readonly process: ChildProcess
  readonly folder: string
  /** Address, once it has said where it listens. */
  readonly url: string
  /** What it says next. */
  next(): Promise<Line>
  get(path?: string): Promise<{ pid: number }>
  /** The same of what takes long, once that has begun; `/slow` is answered when it may be. */
  begun(path: string): Promise<{ answer: Promise<{ pid: number }>; mayAnswer(): void }>
}

const made: { process: ChildProcess; folder: string }[] = []
const aFolder = () => mkdtempSync(join(tmpdir(), 'vigil-keeper-'))
function endAll(): void {
  for (const { process: keeper, folder } of made.splice(0)) {
    keeper.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
afterAll(endAll)

/** Starts a keeper; what it says is waited for by who wants it. */
function launch(env: NodeJS.ProcessEnv = {}, folder = aFolder(), port = 0): Keeper {
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'supervisor.fixture.ts')], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      VIGIL_DATA: folder,
      DATABASE_URL: 'postgres://x/y',
      ...env,
    },
  })
  made.push({ process: keeper, folder })
  const lines = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]()
  let url = `http://127.0.0.1:${port}`
  const get = async (path = '/') => (await (await fetch(url + path)).json()) as { pid: number }
  return {
    process: keeper,
    folder,
    get url() {
      return url
    },
    async next() {
      const line = JSON.parse((await lines.next()).value as string) as Line
      url = `http://127.0.0.1:${line.port}`
      return line
    },
    get,
    async begun(path) {
      const answer = get(path)
      const asked = join(folder, 'asked')
      await vi.waitFor(() => expect(existsSync(asked)).toBe(true), { interval: 10 })
      rmSync(asked)
      return { answer, mayAnswer: () => writeFileSync(join(folder, 'answer'), '') }
    },
  }
}

async function start(env: NodeJS.ProcessEnv = {}, folder = aFolder()): Promise<Keeper> {
  const keeper = launch(env, folder)
  await keeper.next()
  return keeper
}

const childrenOf = ({ pid }: ChildProcess) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')

/** Who knocks again and again until told to stop: with what was refused, and who answered. */
function knocking(addresses: readonly string[], { isKept, everyMs }: { isKept: boolean; everyMs: number }) {
  const [pids, errors] = [new Set<number>(), [] as unknown[]]
  let isOver = false
  const knock = async (at: string): Promise<void> => {
    while (!isOver) {
      await fetch(at, isKept ? {} : { headers: { connection: 'close' } })
        .then(async (answer) => pids.add(((await answer.json()) as { pid: number }).pid))
        .catch((error: unknown) => errors.push(error))
      await sleep(everyMs)
    }
  }
  const all = Promise.all(addresses.map(knock))
  return {
    pids,
    errors,
    async end() {
      isOver = true
      await all
    },
  }
}

describe('one keeper, from its start to its end', () => {
  let keeper: Keeper
  let other = 0
  beforeAll(async () => {
    other = await freePort()
    keeper = await start({ OCTOPRINT_TUNNEL_PORT_RANGE: `${other}-${other}` })
  })

  /** A websocket that is open, and how it is closed. */
  async function socketOf({ url }: Keeper) {
    const ws = new WebSocket(`${url.replace('http', 'ws')}/ws`)
    await once(ws, 'message')
    return { ws, closed: once(ws, 'close') as Promise<[number]> }
  }

  test('connections come through, with the address of the peer and without delay', async () => {
    const { pid } = await keeper.get()
    expect(pid).not.toBe(keeper.process.pid)
    const times: number[] = []
    for (let i = 0; i < 50; i++) {
      const began = performance.now()
      await keeper.get()
      times.push(performance.now() - began)
    }
    // Who holds back what is small (Nagle) does so each time, for 40 ms; a busy machine now and then.
    expect(Math.min(...times)).toBeLessThan(30)
  })

  test('of many who come at once a turn of the loop takes few, so that those who are in are served between; all are answered', async () => {
    const { pid } = await keeper.get()
    // They come while the server works, and all wait when it is done.
    const { answer: working } = await keeper.begun('/work/1500')
    const many = Array.from({ length: 300 }, () => fetch(keeper.url, { headers: { connection: 'close' } }))
    for (const answer of await Promise.all(many)) expect(await answer.json()).toEqual({ pid })
    await working
    const { most } = (await keeper.get('/most')) as unknown as { most: number }
    // Node takes one; a turn that took all would serve nobody else for as long.
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(8)
  })

  test('a restart refuses nobody, at no port: requests are finished, new ones wait, websockets close with 1001', async () => {
    const before = await keeper.get()
    const { closed } = await socketOf(keeper)
    const slow = await keeper.begun('/slow')
    const addresses = [keeper.url, keeper.url, `http://127.0.0.1:${other}`]
    const strangers = knocking(addresses, { isKept: false, everyMs: 5 })
    keeper.process.kill('SIGHUP')
    expect((await closed)[0]).toBe(1001)
    slow.mayAnswer()
    await keeper.next()
    const { pid } = await keeper.get()
    expect(pid).not.toBe(before.pid)
    await vi.waitFor(() => expect(strangers.pids).toContain(pid))
    await strangers.end()
    expect((await slow.answer).pid).toBe(before.pid)
    expect(strangers.errors).toEqual([])
  })

  test('a restart takes nobody away before the next one has loaded', async () => {
    const before = await keeper.get()
    const { ws, closed } = await socketOf(keeper)
    writeFileSync(join(keeper.folder, 'unloaded'), '')
    keeper.process.kill('SIGUSR2')
    await vi.waitFor(() => expect(childrenOf(keeper.process)).toHaveLength(2))
    expect(await keeper.get()).toEqual(before)
    expect(ws.readyState).toBe(WebSocket.OPEN)
    rmSync(join(keeper.folder, 'unloaded'))
    await keeper.next()
    expect((await closed)[0]).toBe(1001)
    expect((await keeper.get()).pid).not.toBe(before.pid)
  })

  test('a busy client that keeps its connections loses no request to a restart', async () => {
    const clients = knocking(Array<string>(3).fill(keeper.url), { isKept: true, everyMs: 10 })
    for (let i = 0; i < inSuite(1, 3); i++) {
      keeper.process.kill('SIGUSR2')
      await keeper.next()
    }
    await clients.end()
    expect(clients.errors).toEqual([])
    expect(clients.pids.size).toBeGreaterThan(0)
  })

  test('after a crash of the server the next one answers, and who came between has only waited', async () => {
    const before = await keeper.get()
    await fetch(`${keeper.url}/crash`).catch(() => {})
    // what the dying one had taken is lost with it; this one comes just after
    await expect.poll(() => isGone(before.pid), { interval: 10 }).toBe(true)
    const between = await keeper.get()
    expect(between.pid).not.toBe(before.pid)
  })

  test('a second keeper on the same folder is refused with a sentence', async () => {
    const { failed } = await launch({}, keeper.folder).next()
    expect(failed).toMatch(/already runs on this data folder/)
    expect((await keeper.get()).pid).toBeGreaterThan(0)
  })

  test('when it stops, requests are finished and new connections refused at once; both processes end and give the data folder back', async () => {
    const { pid } = await keeper.get()
    const slow = await keeper.begun('/slow')
    const ended = once(keeper.process, 'exit') as Promise<[number]>
    keeper.process.kill('SIGTERM')
    await expect.poll(() => isOpen(Number(new URL(keeper.url).port))).toBe(false)
    expect(keeper.process.exitCode).toBe(null)
    slow.mayAnswer()
    expect((await slow.answer).pid).toBe(pid)
    const [code] = await ended
    expect(code).toBe(0)
    expect(() => process.kill(pid, 0)).toThrow()
    expect(readPidFile(join(keeper.folder, 'run/keeper.pid'))).toBe(null)
  })
})

test('who knocks while the server starts for the first time waits, and is answered', async () => {
  const port = await freePort()
  const { folder } = launch({ DATABASE_URL: 'postgres://x/slow' }, aFolder(), port)
  await expect.poll(() => isOpen(port)).toBe(true)
  const waiting = fetch(`http://127.0.0.1:${port}`)
  writeFileSync(join(folder, 'go'), '')
  expect((await waiting).status).toBe(200)
})

test('SIGTERM in the middle of a restart leaves nothing behind', async () => {
  const { process: keeper, url } = await start()
  keeper.kill('SIGUSR2')
  await vi.waitFor(() => expect(childrenOf(keeper)).toHaveLength(2))
  keeper.kill('SIGTERM')
  const [code] = (await once(keeper, 'exit')) as [number]
  expect(code).toBe(0)
  expect(await fetch(url).catch((error: Error) => error.message)).toBe('fetch failed')
})

test('a killed keeper takes its child along, and the folder can be used again', async () => {
  const keeper = await start()
  const { pid } = await keeper.get()
  keeper.process.kill('SIGKILL')
  await expect.poll(() => isGone(pid)).toBe(true)
  expect((await start({}, keeper.folder)).url).toMatch(/:[1-9]\d*$/)
})

test('what cannot start says so and does not try for ever', async () => {
  const { failed } = await launch({ DATABASE_URL: 'postgres://x/broken' }).next()
  expect(failed).toBe('no such database')
})

test('a pid file of a dead process, or of another program with its pid, does not count', () => {
  const folder = aFolder()
  const path = join(folder, 'run/keeper.pid')
  takePidFile(path)()
  writeFileSync(path, '999999\n1\n')
  takePidFile(path)()
  writeFileSync(path, `${process.pid}\n1\n`)
  const giveBack = takePidFile(path)
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid}\n\\d+\n$`))
  expect(() => takePidFile(path)).toThrow(AlreadyRunning)
  giveBack()
  rmSync(folder, { recursive: true })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isConnected
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
