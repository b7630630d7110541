/** The whole product on one core and 1 GB of memory, as on a small computer at home. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { openCgroup } from './lib/cgroup.ts'
import { startLoad } from './lib/load.ts'
import { cpuOf, memoryOfFamily } from './lib/processes.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'
import type { AgentsLoad } from './load/agents.ts'
import type { BrowsersLoad } from './load/browsers.ts'

const CORES = Number(process.env['BENCH_CORES'] ?? 1)
const MEMORY_BYTES = 2 ** 30
const REST_MS = 30_000
const WATCHED_MS = 90_000
const UPLOAD_MB = 64
const TOKEN = 'metrics-of-a-small-machine'

/** How often the detector looked, and the seconds that took, waiting included. */
async function looks(server: BenchServer): Promise<{ count: number; seconds: number }> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const text = await answer.text()
  const of = (name: string) =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.e+-]+)`, 'm').exec(text)?.[1] ?? 0)
  return { count: of('vigil_detection_seconds_count'), seconds: of('vigil_detection_seconds_sum') }
}

/** A file of G-code goes into the store, as a slicer sends it. */
async function upload(server: BenchServer, cookie: string): Promise<number> {
  const line = 'G1 X100.000 Y100.000 E0.12345\n'
  const body = new FormData()
  body.append('filename', 'large.gcode')
  body.append(
    'file',
    new Blob([`; ${randomBytes(8).toString('hex')}\n`, line.repeat((UPLOAD_MB * 2 ** 20) / line.length)]),
    'large.gcode',
  )
  const began = performance.now()
  const answer = await fetch(`${server.url}/api/v1/g_code_files/`, {
    method: 'POST',
    headers: { cookie, origin: server.url },
    body,
  })
  if (answer.status !== 201) throw new Error(`the file was answered ${answer.status}: ${await answer.text()}`)
  return (performance.now() - began) / 1000
}

interface Inferred {
  readonly rssMiB: number
  readonly sizes: Record<string, { readonly picturesPerSecond: number; readonly cpuMsPerPicture: number }>
}

/** bench/inference.ts on the same share, by itself. */
async function infer(): Promise<Inferred> {
  const group = openCgroup({ cores: CORES, memoryBytes: MEMORY_BYTES })
  try {
    return await new Promise((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [join(import.meta.dirname, 'inference.ts'), '--runs', '3', '--frames', '20'],
        (error, said) => (error ? reject(new Error(error.message)) : resolve(JSON.parse(said) as Inferred)),
      )
      if (child.pid !== undefined) group.take(child.pid)
    })
  } finally {
    group.close()
  }
}

interface Measured {
  readonly startSeconds: number
  readonly atRest: number
  readonly watched: number
  readonly held: { readonly most: number; readonly refused: number; readonly killed: number }
  readonly share: number
  readonly uploadSeconds: number
  readonly look: number
  readonly picture: Inferred['sizes'][string] | undefined
}

function figuresOf(of: Measured): Measurement[] {
  const { most, refused, killed } = of.held
  const figure = (what: string, unit: string, value: number): Measurement => ({ what, unit, values: [value] })
  return [
    figure('until the first answer', 's', of.startSeconds),
    figure('memory at rest, everything', 'MB', of.atRest),
    figure('memory with one printer watched, everything', 'MB', of.watched),
    figure('the most that the group held, the system’s cache included', 'MB', most / 1e6),
    { ...figure('processes ended for want of memory', '', killed), aim: { below: 1 } },
    figure('times that the limit was met, and cache given back', '', refused),
    figure('of the core, one printer watched and the file taken', '%', of.share),
    figure(`${UPLOAD_MB} MB into the store`, 's', of.uploadSeconds),
    figure('a look, from question to verdict', 'ms', of.look),
    figure('CPU of the detector for a picture, alone', 'ms', of.picture?.cpuMsPerPicture ?? Number.NaN),
    figure('pictures that the detector looks at, alone', '/s', of.picture?.picturesPerSecond ?? Number.NaN),
  ]
}

const small: Benchmark = {
  name: 'small',
  conditions:
    `Everything (keeper, server, detector, PostgreSQL) on ${CORES} core and 1 GB from its start on (cgroup, files that the system keeps in memory included; memory by ` +
    `page as in \`memory\`): ${REST_MS / 1000} s at rest; one simulated printer that prints, posts a picture each 10 s and is shown in a browser, for ${WATCHED_MS / 1000} s; ` +
    `a file of ${UPLOAD_MB} MB to the store beside it. The detector's time alone: bench/inference.ts on the same share, 640 x 480.`,
  async run(say) {
    const group = openCgroup({ cores: CORES, memoryBytes: MEMORY_BYTES })
    const server = await startBenchServer({
      env: { METRICS_TOKEN: TOKEN },
      onSpawn: (pid) => group.take(pid),
    })
    const [agents, browsers] = [startLoad<AgentsLoad>('agents'), startLoad<BrowsersLoad>('browsers')]
    const megabytes = () => memoryOfFamily(server.pid).all.own / 1e6
    try {
      const cookie = await server.signIn()
      const printers = await server.addPrinters(1)
      await sleep(REST_MS)
      const [atRest, before] = [megabytes(), cpuOf(server.pid)]
      say(`at rest ${atRest.toFixed(0)} MB, started in ${(server.startMs / 1000).toFixed(1)} s`)
      const tokens = printers.map((printer) => printer.auth_token)
      await agents.ask('start', { url: server.url, tokens, printing: 1, posting: 1 })
      await browsers.ask('start', { url: server.url, cookie, printerIds: printers.map(({ id }) => id) })
      const uploadSeconds = await upload(server, cookie)
      await sleep(WATCHED_MS)
      const [watched, after, looked] = [megabytes(), cpuOf(server.pid), await looks(server)]
      const busy = after.node + after.postgres - before.node - before.postgres
      const share = (busy * 1000 * 100) / (WATCHED_MS + uploadSeconds * 1000)
      const held = group.memory()
      say(`${looked.count} looks; most ${(held.most / 1e6).toFixed(0)} MB, limit met ${held.refused} times`)
      const look = (looked.seconds / looked.count) * 1000
      return figuresOf({
        startSeconds: server.startMs / 1000,
        atRest,
        watched,
        held,
        share,
        uploadSeconds,
        look,
        picture: (await infer()).sizes['640x480'],
      })
    } finally {
      await Promise.all([agents.end(), browsers.end()])
      await server.stop()
      group.close()
    }
  },
}

export const benchmarks = [small]
