import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openMemoryLive } from '../server/engines/live/memory.ts'
import type { Live } from '../server/engines/live/port.ts'
import { openRedisLive } from '../server/engines/live/redis.ts'
import { Stream } from '../server/engines/live/stream.ts'
import { openRedis } from '../server/test/hurt/nodes.ts'
import { type Benchmark, CannotMeasure, type Measurement } from './lib/benchmark.ts'
import { read } from './load/stream-reader.ts'

const FRAME = Buffer.alloc(1_048_576, 'frame')
const FRAMES = 500
const RUNS = 5
const SLOW_FRAMES = 20
const SLOW_MS = 50
const log = console

interface Run {
  readonly seconds: number
  readonly cpuMs: number
}

/** Sends all frames and an empty one, which is answered once all were read. */
async function pour(live: Live): Promise<Run> {
  const stream = await Stream.open(live, 'bench', '0')
  if (stream === null) throw new CannotMeasure('nobody accepts a stream')
  const [from, before] = [performance.now(), process.cpuUsage()]
  for (let i = 0; i < FRAMES; i++) await stream.send(FRAME)
  await stream.send('')
  for await (const answer of stream) {
    const { user, system } = process.cpuUsage(before)
    const { cpuMs } = JSON.parse(String(answer)) as { cpuMs: number }
    return { seconds: (performance.now() - from) / 1000, cpuMs: cpuMs + (user + system) / 1000 }
  }
  throw new CannotMeasure('the stream was cut')
}

/** What at most had left and was not read, in megabytes, while the other side took a frame every 50 ms. */
async function pourSlowly(live: Live): Promise<number> {
  const stream = await Stream.open(live, 'bench', String(SLOW_MS))
  if (stream === null) throw new CannotMeasure('nobody accepts a stream')
  const from = performance.now()
  let most = 0
  for (let i = 0; i < SLOW_FRAMES; i++) {
    await stream.send(FRAME)
    most = Math.max(most, i + 1 - (performance.now() - from) / SLOW_MS)
  }
  stream.end()
  return most
}

async function figures(live: Live, where: string, isOneProcess: boolean): Promise<Measurement[]> {
  const runs: Run[] = []
  for (let i = 0; i < RUNS; i++) runs.push(await pour(live))
  // In one process both ends have measured the same time.
  const share = isOneProcess ? 2 : 1
  return [
    { what: `${where}: frames of 1 MB`, unit: '/s', values: runs.map(({ seconds }) => FRAMES / seconds) },
    {
      what: `${where}: CPU of both ends for a frame`,
      unit: 'ms',
      values: runs.map(({ cpuMs }) => cpuMs / share / FRAMES),
    },
    { what: `${where}: unread at most, slow reader`, unit: 'MB', values: [await pourSlowly(live)] },
  ]
}

const streams: Benchmark = {
  name: 'streams',
  conditions:
    `${FRAMES} frames of 1 MB through a stream of \`live\` (window of 4 MB), ${RUNS} runs: within one node, and between two nodes, each a ` +
    'process, on one Redis, whose own CPU time is not in it. The slow reader takes a frame every 50 ms.',
  async run() {
    const memory = openMemoryLive(log)
    await Stream.accept(memory, 'bench', (stream, hello) => void read(stream, Number(hello)))
    const within = await figures(memory, 'one node', true)
    await memory.close()
    const redis = await openRedis()
    if (redis === null) throw new CannotMeasure('redis-server is not installed')
    const reader = fork(join(import.meta.dirname, 'load/stream-reader.ts'), [redis.url])
    await once(reader, 'message')
    const live = await openRedisLive(redis.url, log)
    try {
      return [...within, ...(await figures(live, 'two nodes on Redis', false))]
    } finally {
      await live.close()
      reader.kill()
      await redis.close()
    }
  },
}

export const benchmarks = [streams]
