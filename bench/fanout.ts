import { setTimeout as sleep } from 'node:timers/promises'
import { type Lab, startLab } from '../e2e/lab/lab.ts'
import { H264, MJPEG, RELAY } from '../e2e/lab/media.ts'
import { serverSides, whyNoLab } from '../e2e/lab/net.ts'
import { look, type Seen, untilSeen, type Watch, watchCamera } from '../e2e/lab/watch.ts'
import { type Benchmark, CannotMeasure, type Measurement } from './lib/benchmark.ts'
import { cpuOfProgram } from './lib/processes.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'

const RUNS = 5
const WATCH_MS = 8_000
/** Of a core, with four viewers. */
const AIM_PERCENT = 5
/** Later than from Janus alone. */
const AIM_LATER_MS = 20

const FANOUT = {
  STREAM_FANOUT: 'on',
  STREAM_FANOUT_PORT: String(40_000 + (process.pid % 20_000)),
  STREAM_FANOUT_ADDRESSES: serverSides().join(),
}
const CARRIER = 'fanout.child'

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN
const agesOf = (seen: readonly Seen[]) => seen.map(({ latencies }) => median(latencies))

/** A server with a printer in a lab, and what is seen there. */
interface Studio {
  /** Has so many watch in a page of their own; with the share of a core that the server's carrier took meanwhile. */
  watched(watch: Partial<Watch>, viewers?: number): Promise<{ seen: Seen[]; percent: number }>
  end(): Promise<void>
}

async function openStudio(env: Record<string, string>): Promise<Studio> {
  const server: BenchServer = await startBenchServer({ env: { ...RELAY, ...env } })
  const cookie = await server.signIn()
  const [printer] = await server.addPrinters(1)
  if (printer === undefined) throw new CannotMeasure('no printer was made')
  const { url } = server
  const lab: Lab = await startLab({ url, cookie, token: printer.auth_token, fansOut: true })
  let count = 0
  return {
    async watched(watch, viewers = 1) {
      // An encoder that has nothing new to say needs a tenth of what it may have.
      lab.camera.isNoisy = watch.isMjpeg !== true
      const page = await lab.page()
      const names = Array.from({ length: viewers }, () => `v${++count}`)
      const path = `/ws/janus/${printer.id}/`
      for (const name of names) await watchCamera(page, { name, path, id: H264, ...watch })
      for (const name of names) await untilSeen(page, name, 1, 15_000)
      const spent = cpuOfProgram(server.pid, CARRIER)
      await sleep(WATCH_MS)
      const percent = (100 * (cpuOfProgram(server.pid, CARRIER) - spent)) / (WATCH_MS / 1000)
      const seen = []
      for (const name of names) seen.push(await look(page, name))
      await page.context().close()
      return { seen, percent }
    },
    async end() {
      await lab.end()
      await server.stop()
    },
  }
}

const fanout: Benchmark = {
  name: 'fanout',
  conditions:
    'STREAM_FANOUT=on beside the same without, one after the other: a Janus 1.1 and a camera of 640 x 480 at 25 pictures a second (ffmpeg; a third of it noise, so that 1.3 Mbit/s are used; MJPEG without), chromium, each in a network namespace, and the server ' +
    'that both reach; pictures carry the time at which they were drawn. All on this machine, which also encodes and decodes. CPU: the process that carries video, over ' +
    `${WATCH_MS / 1000} s.`,
  async run(say) {
    const why = await whyNoLab()
    if (why !== null) throw new CannotMeasure(why)
    const direct = await openStudio({})
    const alone: Seen[] = []
    try {
      for (let run = 0; run < RUNS; run++) alone.push(...(await direct.watched({})).seen)
    } finally {
      await direct.end()
    }
    say('Janus alone: done')
    const studio = await openStudio(FANOUT)
    try {
      const runs = []
      for (let run = 0; run < RUNS; run++) runs.push(await studio.watched({}))
      const four = await studio.watched({}, 4)
      const pictures = await studio.watched({ id: MJPEG, isMjpeg: true })
      const fourPictures = await studio.watched({ id: MJPEG, isMjpeg: true }, 4)
      const seen = runs.flatMap((run) => run.seen)
      const fps = ({ frames }: Seen) => frames / (WATCH_MS / 1000)
      const later = median(agesOf(seen)) - median(agesOf(alone))
      const found: Measurement[] = [
        { what: 'Janus alone: age of a picture, p50', unit: 'ms', values: agesOf(alone) },
        { what: 'by the server: age of a picture, p50', unit: 'ms', values: agesOf(seen) },
        { what: 'by the server: later by', unit: 'ms', values: [later], aim: { below: AIM_LATER_MS } },
        {
          what: 'Janus alone: first picture',
          unit: 'ms',
          values: alone.map(({ firstMs }) => firstMs ?? NaN),
        },
        {
          what: 'by the server: first picture',
          unit: 'ms',
          values: seen.map(({ firstMs }) => firstMs ?? NaN),
        },
        { what: 'by the server: pictures a second', unit: '/s', values: seen.map(fps) },
        { what: '4 viewers by the server: age of a picture, p50', unit: 'ms', values: agesOf(four.seen) },
        { what: '4 viewers by the server: pictures a second', unit: '/s', values: four.seen.map(fps) },
        { what: 'CPU with 1 viewer', unit: '% of a core', values: runs.map(({ percent }) => percent) },
        {
          what: 'CPU with 4 viewers',
          unit: '% of a core',
          values: [four.percent],
          aim: { below: AIM_PERCENT },
        },
        { what: 'MJPEG by the server: age of a picture, p50', unit: 'ms', values: agesOf(pictures.seen) },
        { what: 'MJPEG by the server: CPU with 1 viewer', unit: '% of a core', values: [pictures.percent] },
        {
          what: 'MJPEG by the server: CPU with 4 viewers',
          unit: '% of a core',
          values: [fourPictures.percent],
        },
      ]
      return found
    } finally {
      await studio.end()
    }
  },
}

export const benchmarks: readonly Benchmark[] = [fanout]
