import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttp } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import type { Ctx } from '../server/ctx.ts'
import type { Line } from '../server/modules/agents/index.ts'
import { Outgoing } from '../server/modules/agents/outgoing.ts'
import { AgentLine } from '../server/modules/tunnels/carry/agent-line.ts'
import { carryNear } from '../server/modules/tunnels/carry/near.ts'
import type { TunnelAnswer, TunnelRequest } from '../server/modules/tunnels/carry/port.ts'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { median } from './lib/numbers.ts'

const MB = 1_048_576
const RUNS = 5
const CALLS = 100
const BURST = 120
const UPLOAD = Buffer.alloc(40 * MB, 1)
/** 4 Mbit/s, in bytes a millisecond. */
const SLOW = 500

/** An agent's line, with its page's address. */
interface Bench {
  readonly page: string
  carry(path: string, change?: Partial<TunnelRequest>): Promise<TunnelAnswer>
  end(): void
}

const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port

/** A way to `port` that lets through so much of what the agent says. */
async function slowly(port: number): Promise<number> {
  const proxy = createServer((agent) => {
    const server = connect(port, '127.0.0.1')
    server.pipe(agent)
    agent.on('data', (part: Buffer) => {
      agent.pause()
      setTimeout(() => (server.write(part), agent.resume()), part.length / SLOW)
    })
    agent.on('close', () => server.destroy())
    agent.on('error', () => server.destroy())
    server.on('error', () => agent.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  proxy.unref()
  return portOf(proxy)
}

async function openBench(dataFolder: string, isSlow: boolean): Promise<Bench> {
  const gate = { user: { is_pro: false }, printer: { id: 1, name: 'a', is_pro: false, retract_on_pause: 0 } }
  const server = createHttp((_, response) => response.end(JSON.stringify(gate))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload: 256 * MB })
  const { promise, resolve } = Promise.withResolvers<AgentLine>()
  sockets.on('connection', (ws) => {
    const outgoing = new Outgoing(ws)
    const own: Partial<Line> = {
      printerId: 1,
      isOpen: true,
      sendBytes: (bytes) =>
        new Promise((sent, failed) => outgoing.say(bytes, (error) => (error ? failed(error) : sent()))),
      sendParts: (parts) => outgoing.sayInParts(parts),
    }
    const line = new AgentLine({ log: { debug: () => undefined } } as unknown as Ctx, own as Line)
    // Its printer's row is not what is measured.
    line.checkAge = async () => undefined
    const { hear } = line.receiver(() => undefined)
    ws.on('message', (data: Buffer, isBinary) => isBinary && hear({ kind: 'tunnel' }, { data, isBinary }))
    resolve(line)
  })
  const port = isSlow ? await slowly(portOf(server)) : portOf(server)
  const agent: ChildProcess = fork(join(import.meta.dirname, 'load/tunnel-agent.ts'), [
    `http://127.0.0.1:${port}`,
  ])
  const [page] = (await once(agent, 'message')) as [string]
  const line = await promise
  const ctx = { config: { dataFolder, TUNNEL_MAX_UPLOAD_MB: 128 } } as unknown as Ctx
  return {
    page,
    carry: (path, change) => {
      const signal = AbortSignal.timeout(60_000)
      const request = { method: 'GET', path, headers: {}, class: 'document', signal, ...change } as const
      return carryNear(ctx, line, request, () => undefined)
    },
    end() {
      agent.kill()
      for (const ws of sockets.clients) ws.terminate()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function read({ body }: TunnelAnswer): Promise<number> {
  let length = 0
  for await (const part of body) length += part.length
  return length
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

async function firstByte({ carry }: Bench): Promise<number> {
  const from = performance.now()
  const { body } = await carry('/file', { class: 'bulk' })
  for await (const _ of body) return performance.now() - from
  return Infinity
}

async function onLoopback(bench: Bench): Promise<Measurement[]> {
  const { carry, page } = bench
  const small = async () => {
    const [direct, through]: [number[], number[]] = [[], []]
    for (let call = 0; call < CALLS; call++) {
      direct.push(await timed(async () => await (await fetch(`${page}/small`)).arrayBuffer()))
      through.push(await timed(async () => await read(await carry('/small'))))
    }
    return median(through) - median(direct)
  }
  const burst = async () => {
    const all = Array.from(
      { length: BURST },
      async () => await read(await carry('/asset', { class: 'asset' })),
    )
    return (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected').length
  }
  const upload = async () =>
    (await timed(async () => {
      const body = { body: pieces(UPLOAD), length: UPLOAD.length }
      return await read(await carry('/upload', { method: 'POST', ...body }))
    })) / 1000
  const runs = async (work: () => Promise<number>) => {
    const values: number[] = []
    for (let run = 0; run < RUNS; run++) values.push(await work())
    return values
  }
  await small()
  const smalls = await runs(small)
  const bursts = await runs(burst)
  await upload()
  const before = process.memoryUsage().rss
  const uploads = await runs(upload)
  return [
    { what: 'added to a small request', unit: 'ms', values: smalls, aim: { below: 3 } },
    { what: `lost of ${BURST} requests at once`, unit: '', values: bursts, aim: { below: 1 } },
    { what: 'upload of 40 MB', unit: 's', values: uploads, aim: { below: 1 } },
    {
      what: 'memory after the uploads, beyond that after the first',
      unit: 'MB',
      values: [(process.memoryUsage().rss - before) / MB],
      aim: { below: 64 },
    },
  ]
}

const tunnel: Benchmark = {
  name: 'tunnel',
  conditions:
    `A simulated agent and the page behind it are a process of their own, the tunnel's transport is another; no browser and no door before it. ${RUNS} runs, a small request ` +
    `${CALLS} times each, tunnel and page in turn. At 4 Mbit/s: what the agent says passes at that rate.`,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'vigil-tunnel-'))
    const fast = await openBench(folder, false)
    const slow = await openBench(folder, true)
    try {
      const measured = await onLoopback(fast)
      const firsts: number[] = []
      for (let run = 0; run < RUNS; run++) {
        await sleep(500)
        firsts.push(await firstByte(slow))
      }
      const what = 'first byte of 10 MB at 4 Mbit/s'
      return [...measured, { what, unit: 'ms', values: firsts, aim: { below: 100 } }]
    } finally {
      fast.end()
      slow.end()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

export const benchmarks = [tunnel]
