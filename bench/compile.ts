import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Benchmark } from './lib/benchmark.ts'
import { startLoad } from './lib/load.ts'
import { quantile } from './lib/numbers.ts'
import { webcamPicture } from './lib/picture.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'
import type { AgentsLoad } from './load/agents.ts'
import type { BrowsersLoad } from './load/browsers.ts'

const AGENTS = 50
const FRAMES = 1_000
const PICTURES = 50
const RUNS = 2
const AIM_S = 15
const AIM_MS = 500
const SETTLE_MS = 15_000
const WINDOW_MS = 10_000
/** What is due is looked for each minute. */
const BEGINS_WITHIN_MS = 90_000

/** A webcam's picture, its noise another one each time: films of pictures that are alike cost next to nothing. */
async function noisy(): Promise<Buffer> {
  const create = { width: 640, height: 480, channels: 3, background: '#888' } as const
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  const input = await sharp({ create: { ...create, noise } })
    .png()
    .toBuffer()
  const base = await webcamPicture(640, 480, 90)
  return await sharp(base)
    .composite([{ input, blend: 'soft-light' }])
    .jpeg({ quality: 80 })
    .toBuffer()
}

/** A print that has ended, of 1,000 frames of 640 x 480, each looked at and with a box drawn. */
async function aPrint(server: BenchServer, printerId: number): Promise<number> {
  const [print] =
    await server.query(`insert into prints (user_id, printer_id, filename, started_at, finished_at)
    select user_id, id, 'bench.gcode', now() - interval '3 hours', now() from printers where id = ${printerId} returning id`)
  const id = Number(print?.['id'])
  for (const folder of ['raw', 'tagged']) {
    const at = join(server.dataFolder, 'files/tsd-pics', folder, String(printerId), String(id))
    await mkdir(at, { recursive: true })
    for (let n = 0; n < PICTURES; n++) await writeFile(join(at, `${n}.jpg`), await noisy())
  }
  const ref = (folder: string) =>
    `jsonb_build_object('container', 'tsd-pics', 'path', '${folder}/${printerId}/${id}/' || n % ${PICTURES} || '.jpg')`
  await server.query(`with framed as (
      insert into frames (printer_id, print_id, picture, tagged, num_bytes, width, height, created_at)
      select ${printerId}, ${id}, ${ref('raw')}, ${ref('tagged')}, 40000, 640, 480, now() - ((${FRAMES} - n) * 10 || ' s')::interval
      from generate_series(1, ${FRAMES}) n returning id, created_at)
    insert into decisions (printer_id, print_id, frame_id, created_at, score, state, decision)
    select ${printerId}, ${id}, id, created_at, 0.1, '{"currentFrameNum":1,"lifetimeFrameNum":1,"currentP":0.1,"ewmMean":0.1,
      "rollingMeanShort":0.1,"rollingMeanLong":0.1,"normalizedP":0.1}', 'none' from framed`)
  await server.query(`insert into timelapses (print_id, ended_at) values (${id}, now())`)
  return id
}

async function stateOf(server: BenchServer, printId: number): Promise<string> {
  const [row] = await server.query(`select state from timelapses where print_id = ${printId}`)
  return String(row?.['state'])
}

async function until(server: BenchServer, printId: number, states: readonly string[]): Promise<number> {
  for (const end = Date.now() + BEGINS_WITHIN_MS; Date.now() < end; await sleep(50))
    if (states.includes(await stateOf(server, printId))) return performance.now()
  throw new Error(`the time-lapse of print ${printId} is ${await stateOf(server, printId)}`)
}

const compile: Benchmark = {
  name: 'compile',
  conditions:
    `Both films of a print of ${FRAMES.toLocaleString('en-US')} frames of 640 x 480, with poster and figures, while ${AGENTS} ` +
    'simulated agents (half of them printing, a status a second) are shown to as many browsers; all on the same machine, the load with them.',
  async run(say) {
    const server = await startBenchServer()
    const crowd = startLoad<AgentsLoad>('agents')
    const browsers = startLoad<BrowsersLoad>('browsers')
    try {
      const cookie = await server.signIn()
      const printers = await server.addPrinters(AGENTS + 1)
      const shown = printers.slice(0, AGENTS)
      const tokens = shown.map((printer) => printer.auth_token)
      await crowd.ask('start', { url: server.url, tokens, printing: AGENTS / 2, posting: 0 })
      await browsers.ask('start', { url: server.url, cookie, printerIds: shown.map(({ id }) => id) })
      await sleep(SETTLE_MS)
      const seconds: number[] = []
      const [quiet, busy]: [number[], number[]] = [[], []]
      for (let run = 0; run < RUNS; run++) {
        await browsers.ask('take')
        await sleep(WINDOW_MS)
        quiet.push(quantile((await browsers.ask('take')).ages, 0.95))
        const printId = await aPrint(server, printers[AGENTS]!.id)
        say(`print ${printId} waits for its time-lapse`)
        const began = await until(server, printId, ['working'])
        await browsers.ask('take')
        const ended = await until(server, printId, ['ready', 'failed', 'short', 'empty', 'no_ffmpeg'])
        if ((await stateOf(server, printId)) !== 'ready') throw new Error('the time-lapse was not made')
        busy.push(quantile((await browsers.ask('take')).ages, 0.95))
        seconds.push((ended - began) / 1000)
      }
      return [
        { what: 'time-lapse of 1,000 frames', unit: 's', values: seconds, aim: { below: AIM_S } },
        { what: 'agent to browser, p95, before', unit: 'ms', values: quiet },
        { what: 'agent to browser, p95, meanwhile', unit: 'ms', values: busy, aim: { below: AIM_MS } },
      ]
    } finally {
      await Promise.allSettled([crowd.end(), browsers.end()])
      await server.stop()
    }
  },
}

export const benchmarks = [compile]
