/** Many agents and 200 browsers on one server, looked at in windows. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentsLoad } from '../load/agents.ts'
import type { BrowsersLoad } from '../load/browsers.ts'
import { startLoad } from './load.ts'
import { type Cpu, cpuOf, memoryOfFamily } from './processes.ts'
import { type BenchServer, startBenchServer } from './server.ts'

const BROWSERS = 200
const WINDOWS = 5
const WINDOW_MS = 10_000
/** Prints begin, settings come, browsers read their rows: none of that happens every second. */
const SETTLE_MS = 20_000

export interface CrowdOptions {
  readonly agents: number
  readonly say: (line: string) => void
  /** Done before a window begins, and after the last. */
  readonly before?: (window: number, server: BenchServer, cookie: string) => Promise<void>
  readonly after?: () => Promise<void>
}

/** One window. */
export interface Window {
  /** Milliseconds from agent to browser, sorted by coming. */
  readonly ages: readonly number[]
  /** Share of the statuses of the watched printers that came. */
  readonly delivered: number
  readonly statuses: number
  readonly seconds: number
  /** Seconds of processor time in this window. */
  readonly cpu: Cpu
  /** Bytes. */
  readonly rss: number
}

/** Connects everybody, waits until it is quiet, then watches several windows. */
export async function watchCrowd({ agents, say, before: begin, after }: CrowdOptions): Promise<Window[]> {
  const server = await startBenchServer()
  const crowd = startLoad<AgentsLoad>('agents')
  const browsers = startLoad<BrowsersLoad>('browsers')
  try {
    const cookie = await server.signIn()
    const printers = await server.addPrinters(agents)
    say(`${agents} agents connect`)
    const tokens = printers.map((printer) => printer.auth_token)
    await crowd.ask('start', { url: server.url, tokens, printing: agents / 2, posting: 0 })
    await browsers.ask('start', {
      url: server.url,
      cookie,
      printerIds: watched(printers.map(({ id }) => id)),
    })
    await sleep(SETTLE_MS)
    const look = async () => {
      const [{ statuses, connected }, { ages, open }] = [await crowd.ask('read'), await browsers.ask('take')]
      if (connected < agents || open < Math.min(BROWSERS, agents / 2))
        throw new Error(`${connected} of ${agents} agents and ${open} browsers are connected`)
      return { statuses, ages, at: performance.now(), cpu: cpuOf(server.pid) }
    }
    const windows: Window[] = []
    for (let before = await look(); windows.length < WINDOWS;) {
      await begin?.(windows.length, server, cookie)
      await sleep(WINDOW_MS)
      const now = await look()
      const seconds = (now.at - before.at) / 1000
      windows.push({
        ages: now.ages,
        delivered: now.ages.length / Math.min(BROWSERS, agents / 2) / seconds,
        statuses: now.statuses - before.statuses,
        seconds,
        cpu: { node: now.cpu.node - before.cpu.node, postgres: now.cpu.postgres - before.cpu.postgres },
        rss: memoryOfFamily(server.pid).node.rss,
      })
      before = now
    }
    await after?.()
    return windows
  } finally {
    await Promise.all([crowd.end(), browsers.end()])
    await server.stop()
  }
}

/** Every other printer, whose agent tells the time exactly; half of them print, half do not. */
function watched(ids: readonly number[]): number[] {
  const exact = ids.filter((_, index) => index % 2 === 0)
  const step = Math.max(1, exact.length / BROWSERS)
  return Array.from(
    { length: Math.min(BROWSERS, exact.length) },
    (_, i) => exact[Math.floor(i * step)] as number,
  )
}
