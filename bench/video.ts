import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import WebSocket from 'ws'
import { type Lab, startLab } from '../e2e/lab/lab.ts'
import { H264, MJPEG, RELAY } from '../e2e/lab/media.ts'
import { whyNoLab } from '../e2e/lab/net.ts'
import { wordsIn } from '../e2e/looks.ts'
import { look, type Seen, untilSeen, type Watch, watchCamera } from '../e2e/lab/watch.ts'
import { type Benchmark, CannotMeasure, type Measurement } from './lib/benchmark.ts'
import { type Cpu, cpuOf } from './lib/processes.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'

const RUNS = 5
const WATCH_MS = 4_000
const AIM_FIRST_MS = 300
const AIM_DEGRADED_S = 5
const AIM_CPU_MS = 5
const VIEWS = 200
const SAYS_MS = 20_000
const WORDS = wordsIn('en')

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN
const one = (what: string, unit: string, value: number, aim?: Measurement['aim']): Measurement => ({
  what,
  unit,
  values: [value],
  ...(aim ? { aim } : {}),
})

let count = 0

/** Watches a camera for a while in a page of its own. */
async function watched(
  lab: Lab,
  watch: Omit<Watch, 'name'>,
  viewers = 1,
): Promise<{ page: Page; seen: Seen[] }> {
  const page = await lab.page()
  const names = Array.from({ length: viewers }, () => `v${++count}`)
  for (const name of names) await watchCamera(page, { name, ...watch })
  for (const name of names) await untilSeen(page, name, 1, 15_000).catch(() => undefined)
  await sleep(WATCH_MS)
  const seen = []
  for (const name of names) seen.push(await look(page, name))
  await page.context().close()
  return { page, seen }
}

const fps = ({ frames }: Seen) => frames / (WATCH_MS / 1000)

/** A camera on a line that is spoilt: whether and how soon pictures come, how many, how old. */
async function spoilt(
  lab: Lab,
  { what, spoil, watch }: { what: string; spoil: () => Promise<void>; watch: Omit<Watch, 'name'> },
): Promise<Measurement[]> {
  await spoil()
  const { seen } = await watched(lab, watch)
  await lab.net.mend()
  const [first] = seen as [Seen]
  return [
    ...(first.firstMs === null
      ? []
      : [one(`${what}: first moving picture`, 's', first.firstMs / 1000, { below: AIM_DEGRADED_S })]),
    one(`${what}: pictures a second`, '/s', fps(first)),
    ...(first.frames > 0 ? [one(`${what}: age of a picture, p50`, 'ms', median(first.latencies))] : []),
  ]
}

interface Degraded {
  readonly what: string
  readonly spoil: () => Promise<unknown>
  /** What the page comes to say: that it is live, or why not. */
  readonly says: 'live' | `why.stills.${'udp' | 'uplink' | 'camera'}`
  readonly isNoisy?: boolean
}

/** The printer's page itself on a line that is spoilt: how soon it shows a picture, and how soon it says what is so. */
async function onThePage(lab: Lab, page: Page, { what, spoil, says, isNoisy }: Degraded) {
  lab.camera.isNoisy = isNoisy ?? false
  await spoil()
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  await page.reload({ waitUntil: 'commit' })
  const picture = page
    .waitForFunction(
      () => {
        const [still] = document.querySelectorAll<HTMLImageElement>('main [data-picture] img')
        const [film] = document.querySelectorAll<HTMLVideoElement>('main [data-picture] video')
        return (still?.naturalWidth ?? 0) > 0 || (film?.videoWidth ?? 0) > 0
      },
      undefined,
      { timeout: SAYS_MS, polling: 50 },
    )
    .then(seconds, () => NaN)
  const words = page.getByText(WORDS(`video:${says}`), { exact: true }).first()
  const told = words.waitFor({ timeout: SAYS_MS }).then(seconds, () => NaN)
  const found = [
    one(`The page, ${what}: a picture`, 's', await picture, { below: AIM_DEGRADED_S }),
    one(`The page, ${what}: says ${says === 'live' ? 'that it is live' : 'why'}`, 's', await told),
  ]
  lab.camera.isNoisy = false
  await lab.net.mend()
  return found
}

/** Starts a view and leaves it, by sockets alone. */
async function view(server: BenchServer, path: string, cookie: string): Promise<void> {
  const ws = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, 'janus-protocol', {
    headers: { cookie, origin: server.url },
  })
  const answers = new Map<string, (answer: any) => void>()
  ws.on('message', (data) => {
    const answer = JSON.parse(String(data))
    if (answer.janus !== 'ack') answers.get(answer.transaction)?.(answer)
  })
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
  const say = (message: object) => ws.send(JSON.stringify({ ...message, transaction: `c${++count}` }))
  const ask = (message: object) =>
    new Promise<any>((resolve) => {
      say(message)
      answers.set(`c${count}`, resolve)
    })
  const session_id = (await ask({ janus: 'create' })).data.id
  const handle_id = (await ask({ janus: 'attach', session_id, plugin: 'janus.plugin.streaming' })).data.id
  const at = { session_id, handle_id }
  await ask({ janus: 'message', ...at, body: { request: 'watch', id: H264, offer_video: true } })
  const found = [1, 2, 3].map((at) => ({
    candidate: `candidate:${at} 1 udp 2113937151 10.99.0.2 ${40_000 + at} typ host`,
    sdpMid: 'v',
  }))
  say({ janus: 'trickle', ...at, candidates: found })
  say({ janus: 'trickle', ...at, candidates: [{ completed: true }] })
  await ask({ janus: 'destroy', session_id })
  ws.close()
}

/** A server with a printer in the lab; raises where there is no lab. */
async function openLab() {
  const why = await whyNoLab()
  if (why !== null) throw new CannotMeasure(why)
  const server = await startBenchServer({ env: RELAY })
  const cookie = await server.signIn()
  const [printer] = await server.addPrinters(1)
  if (printer === undefined) throw new CannotMeasure('no printer was made')
  return {
    server,
    cookie,
    printer,
    lab: await startLab({ url: server.url, cookie, token: printer.auth_token }),
  }
}

/** Milliseconds of CPU of the server for one view, less what it does anyway in that time. */
async function relayCost(server: BenchServer, path: string, cookie: string): Promise<Cpu> {
  for (let i = 0; i < 50; i++) await view(server, path, cookie)
  const began = performance.now()
  const before = cpuOf(server.pid)
  for (let i = 0; i < VIEWS; i++) await view(server, path, cookie)
  const after = cpuOf(server.pid)
  await sleep(performance.now() - began)
  const idle = cpuOf(server.pid)
  const of = (part: keyof Cpu) => ((2 * after[part] - before[part] - idle[part]) * 1000) / VIEWS
  return { node: of('node'), postgres: of('postgres') }
}

const video: Benchmark = {
  name: 'video',
  conditions:
    'A Janus 1.1, a coturn and a camera of 640 x 480 at 25 pictures a second (ffmpeg, 1.3 Mbit/s) in one network namespace, chromium in another, the server beside both; ' +
    'pictures carry the time at which they were drawn, and a page reads it back: all on this machine, which also encodes and decodes. First picture is from the opening of the ' +
    `socket. Loss by nftables, narrow uplinks by tbf. "The page" is the product's, from a reload on. CPU of a view: ${VIEWS} views by sockets alone, with what our player says from ` +
    'upgrade to destroy, less what the server does anyway.',
  async run(say) {
    const { server, cookie, printer, lab } = await openLab()
    const h264 = { path: `/ws/janus/${printer.id}/`, id: H264 }
    const mjpeg = { path: h264.path, id: MJPEG, isMjpeg: true }
    try {
      const firsts: Seen[] = []
      for (let run = 0; run < RUNS; run++) firsts.push(...(await watched(lab, h264)).seen)
      const four = (await watched(lab, h264, 4)).seen
      const pictures = (await watched(lab, mjpeg)).seen[0]!
      const relayed = (await watched(lab, { ...h264, relayOnly: true })).seen[0]!
      say('the line is good: done')
      const found: Measurement[] = [
        {
          what: 'H264: first picture',
          unit: 'ms',
          values: firsts.map(({ firstMs }) => firstMs ?? NaN),
          aim: { below: AIM_FIRST_MS },
        },
        {
          what: 'H264: age of a picture, p50',
          unit: 'ms',
          values: firsts.map((seen) => median(seen.latencies)),
        },
        { what: 'H264: pictures a second', unit: '/s', values: firsts.map(fps) },
        {
          what: 'H264, 4 viewers: age of a picture, p50',
          unit: 'ms',
          values: four.map((seen) => median(seen.latencies)),
        },
        { what: 'H264, 4 viewers: pictures a second', unit: '/s', values: four.map(fps) },
        one('MJPEG: first picture', 'ms', pictures.firstMs ?? NaN),
        one('MJPEG: age of a picture, p50', 'ms', median(pictures.latencies)),
        one('MJPEG: pictures a second', '/s', fps(pictures)),
        one('H264 by the relay: first picture', 'ms', relayed.firstMs ?? NaN),
        one('H264 by the relay: age of a picture, p50', 'ms', median(relayed.latencies)),
      ]
      const { net } = lab
      for (const bad of [
        { what: 'H264, UDP blocked', spoil: () => net.blockUdp(), watch: h264 },
        { what: 'H264, 2 % loss', spoil: () => net.lose(2), watch: h264 },
        { what: 'H264, 5 % loss', spoil: () => net.lose(5), watch: h264 },
        { what: 'MJPEG, 5 % loss', spoil: () => net.lose(5), watch: mjpeg },
        { what: 'MJPEG, uplink of 1 Mbit/s', spoil: () => net.narrow('1mbit'), watch: mjpeg },
        { what: 'MJPEG, uplink of 300 kbit/s', spoil: () => net.narrow('300kbit'), watch: mjpeg },
      ])
        found.push(...(await spoilt(lab, bad)))
      say('bad lines: done')
      const page = await lab.page()
      await page.goto(`${server.url}/printers/${printer.id}/control/`)
      await page.getByText(WORDS('video:live'), { exact: true }).first().waitFor()
      for (const bad of [
        { what: 'UDP blocked', spoil: () => net.blockUdp(), says: 'live' },
        {
          what: 'no way at all',
          spoil: () => net.blockUdp().then(() => net.blockRelay()),
          says: 'why.stills.udp',
        },
        { what: '2 % loss', spoil: () => net.lose(2), says: 'live' },
        { what: '5 % loss', spoil: () => net.lose(5), says: 'live' },
        {
          what: 'uplink of 1 Mbit/s',
          spoil: () => net.narrow('1mbit'),
          says: 'why.stills.uplink',
          isNoisy: true,
        },
        {
          what: 'uplink of 300 kbit/s',
          spoil: () => net.narrow('300kbit'),
          says: 'why.stills.uplink',
          isNoisy: true,
        },
        { what: 'camera stopped', spoil: () => net.stopCameras(), says: 'why.stills.camera' },
      ] satisfies Degraded[])
        found.push(...(await onThePage(lab, page, bad)))
      await page.context().close()
      say('the page on bad lines: done')
      const cpu = await relayCost(server, h264.path, cookie)
      return [
        ...found,
        one('CPU of the server for a view', 'ms', cpu.node, { below: AIM_CPU_MS }),
        one('CPU of PostgreSQL for a view', 'ms', cpu.postgres),
      ]
    } finally {
      await lab.end()
      await server.stop()
    }
  },
}

/** The two figures of `video` that the server can do something about. */
const begun: Benchmark = {
  name: 'video-view',
  conditions: `As \`video\`, on a good line: the first picture, ${RUNS} times, and what the server does for a view.`,
  async run() {
    const { server, cookie, printer, lab } = await openLab()
    const path = `/ws/janus/${printer.id}/`
    try {
      const firsts: number[] = []
      for (let run = 0; run < RUNS; run++)
        firsts.push((await watched(lab, { path, id: H264 })).seen[0]?.firstMs ?? NaN)
      const cpu = await relayCost(server, path, cookie)
      return [
        { what: 'H264: first picture', unit: 'ms', values: firsts, aim: { below: AIM_FIRST_MS } },
        one('CPU of the server for a view', 'ms', cpu.node, { below: AIM_CPU_MS }),
        one('CPU of PostgreSQL for a view', 'ms', cpu.postgres),
      ]
    } finally {
      await lab.end()
      await server.stop()
    }
  },
}

export const benchmarks: readonly Benchmark[] = [video, begun]
