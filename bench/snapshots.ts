import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFolderFiles } from '../server/engines/files/folder.ts'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { startLoad } from './lib/load.ts'
import { webcamPicture } from './lib/picture.ts'
import { cpuOf } from './lib/processes.ts'
import { bodyOf, headOf } from './lib/snapshot.ts'
import { type BenchPrinter, type BenchServer, startBenchServer } from './lib/server.ts'
import type { AgentsLoad } from './load/agents.ts'
import type { RequestsLoad } from './load/requests.ts'

const PRINTERS = 64
const CONNECTIONS = 32
/** Makes a picture about as large as a webcam's at its best. */
const QUALITY = 90
const RUNS = 5
const RUN_SECONDS = 5
const WARM_SECONDS = 8
const AT_MOST = 20_000
const AIM_PER_SECOND = 900
/** Of pictures that each come on a connection of their own, as agents send them. */
const AIM_FRESH_PER_SECOND = 1_200
const AIM_FRESH_MICROSECONDS = 1_000

interface Posting {
  readonly server: BenchServer
  readonly printers: readonly BenchPrinter[]
  readonly body: Buffer
  readonly when: string
  readonly isFresh?: boolean
}

/** Posts in several runs; returns the figures and how many pictures were acknowledged. */
async function post({ server, printers, body, when, isFresh = false }: Posting) {
  const requests = startLoad<RequestsLoad>('requests')
  const heads = printers.map((printer) => headOf(printer.auth_token, server.url, body.length))
  const options = { url: server.url, connections: CONNECTIONS, atMost: AT_MOST, heads, body, isFresh }
  const rates: number[] = []
  const costs: number[] = []
  const ofPostgres: number[] = []
  let acknowledged = 0
  try {
    // Until V8 has compiled what runs all the time: a picture costs half again as much before.
    acknowledged += (await requests.ask('run', { ...options, seconds: WARM_SECONDS })).answered
    for (let run = 0; run < RUNS; run++) {
      const before = cpuOf(server.pid)
      const { answered, seconds } = await requests.ask('run', { ...options, seconds: RUN_SECONDS })
      const after = cpuOf(server.pid)
      acknowledged += answered
      rates.push(answered / seconds)
      costs.push(((after.node + after.postgres - before.node - before.postgres) / answered) * 1e6)
      ofPostgres.push(((after.postgres - before.postgres) / answered) * 1e6)
    }
  } finally {
    await requests.end()
  }
  const figures: Measurement[] = [
    {
      what: `stored ${when}`,
      unit: '/s',
      values: rates,
      aim: { above: isFresh ? AIM_FRESH_PER_SECOND : AIM_PER_SECOND },
    },
    {
      what: `CPU of the server for one ${when}`,
      unit: 'µs',
      values: costs,
      ...(isFresh && { aim: { below: AIM_FRESH_MICROSECONDS } }),
    },
    { what: 'of which PostgreSQL', unit: 'µs', values: ofPostgres },
  ]
  return { figures, acknowledged }
}

async function waitForPrints(server: BenchServer): Promise<void> {
  for (let attempt = 0; attempt < 120; attempt++) {
    const [row] = await server.query(
      'select count(*)::int as prints from printers where current_print_id is not null',
    )
    if (row?.['prints'] === PRINTERS) return
    await sleep(250)
  }
  throw new Error('not every printer began to print')
}

/** What the database knows of frames must lie on the disk, byte for byte. */
async function verify(server: BenchServer, picture: Uint8Array, acknowledged: number): Promise<void> {
  const files = await openFolderFiles(join(server.dataFolder, 'files'))
  let onDisk = 0
  try {
    for await (const path of files.list('tsd-pics', 'raw')) {
      const found = await files.stat({ container: 'tsd-pics', path })
      if (found?.numBytes !== picture.length) throw new Error(`${path} has ${found?.numBytes} bytes`)
      onDisk++
    }
  } finally {
    await files.close()
  }
  const [row] = await server.query('select count(*)::int as frames from frames')
  if (onDisk !== acknowledged || row?.['frames'] !== acknowledged)
    throw new Error(
      `${acknowledged} pictures were acknowledged, ${onDisk} lie on the disk, ${String(row?.['frames'])} have rows`,
    )
}

interface Posted extends Omit<Posting, 'server' | 'printers' | 'body' | 'when'> {
  /** What is posted while nothing prints, too. */
  readonly isIdleToo: boolean
}

async function measure({ isIdleToo, isFresh = false }: Posted, say: (line: string) => void) {
  const picture = await webcamPicture(640, 480, QUALITY)
  const body = bodyOf(picture)
  const server = await startBenchServer()
  const agents = startLoad<AgentsLoad>('agents')
  try {
    await server.signIn()
    const printers = await server.addPrinters(PRINTERS)
    await server.query('update printers set watching_enabled = false')
    const posting = { server, printers, body, isFresh }
    say(`pictures of ${Math.round(picture.length / 1000)} kB`)
    const idle = isIdleToo ? (await post({ ...posting, when: 'without a print' })).figures : []
    const tokens = printers.map((printer) => printer.auth_token)
    await agents.ask('start', { url: server.url, tokens, printing: PRINTERS, posting: 0 })
    await waitForPrints(server)
    const when = isFresh ? 'during a print, a connection each' : 'during a print'
    const frames = await post({ ...posting, when })
    await verify(server, picture, frames.acknowledged)
    const size: Measurement = { what: 'size of a picture', unit: 'kB', values: [picture.length / 1000] }
    return [size, ...idle, ...frames.figures]
  } finally {
    await agents.end()
    await server.stop()
  }
}

const HOW =
  `A JPEG of 640x480 posted as agents do for ${PRINTERS} printers over ${CONNECTIONS} connections, ${RUNS} runs of ` +
  `${RUN_SECONDS} s each. During a print every picture is a file and a row, and every one of them was found again on ` +
  'the disk and in the database; without a print it replaces the latest one. Watching is off, so that nothing is ' +
  'detected beside it.'

const kept: Benchmark = {
  name: 'snapshots',
  conditions: HOW,
  run: (say) => measure({ isIdleToo: true }, say),
}

const fresh: Benchmark = {
  name: 'snapshots-fresh',
  conditions: `${HOW} A connection is opened for each picture, as the Python agents do.`,
  run: (say) => measure({ isIdleToo: false, isFresh: true }, say),
}

export const benchmarks = [kept, fresh]
