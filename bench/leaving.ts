import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { startLoad } from './lib/load.ts'
import { cpuOf, memoryOfFamily } from './lib/processes.ts'
import { startBenchServer } from './lib/server.ts'
import type { LeavingLoad } from './load/leaving.ts'

const AGENTS = Number(process.env['BENCH_AGENTS'] ?? 10_000)
const PRINTING = AGENTS / 2
const LOOK_MS = 10_000
const AFTER_MS = 60_000
/** So little of a core is quiet. */
const IDLE_CORES = 0.3
const CALM_WITHIN_MS = 150_000
const AIM_IDLE_S = 10
const AIM_AFTER_MB = 320

const leaving: Benchmark = {
  name: 'leaving',
  conditions:
    `${AGENTS.toLocaleString('en-US')} agents on ${AGENTS.toLocaleString('en-US')} printers of one owner, a status every 30 s each. They come, 50 at a time; then ` +
    `${PRINTING.toLocaleString('en-US')} of them begin a print in the same moment; then all are cut off, and a minute later come back with the same prints. Processor ` +
    `time of the whole server with PostgreSQL; "until quiet" is the time until it uses less than ${IDLE_CORES} of a core.`,
  async run(say) {
    const server = await startBenchServer()
    const agents = startLoad<LeavingLoad>('leaving')
    const used = () => {
      const { node, postgres } = cpuOf(server.pid)
      return { at: performance.now(), all: node + postgres, postgres }
    }
    const count = async (what: string) =>
      Number((await server.query(`select count(*)::int as n from ${what}`))[0]?.['n'] ?? 0)
    /** Looks every other second until it is quiet, or for all of `lookMs`: when it became so, and what was used until then. */
    const untilQuiet = async (from: ReturnType<typeof used>, lookMs = 0) => {
      let busy = used()
      for (let before = used(); performance.now() - from.at < CALM_WITHIN_MS;) {
        await sleep(2_000)
        const now = used()
        const cores = ((now.all - before.all) * 1000) / (now.at - before.at)
        if (cores >= IDLE_CORES) busy = now
        else if (now.at - from.at > lookMs) break
        before = now
      }
      return { seconds: (busy.at - from.at) / 1000, cpu: used().all - from.all }
    }
    const megabytes = () => memoryOfFamily(server.pid).all.own / 1e6
    try {
      await server.signIn()
      const printers = await server.addPrinters(AGENTS)
      const tokens = printers.map(({ auth_token: token }) => token)
      await sleep(LOOK_MS)
      const rest = megabytes()
      let from = used()
      await agents.ask('come', { url: server.url, tokens })
      const come = await untilQuiet(from)
      say(`came: ${come.cpu.toFixed(1)} s of CPU`)
      from = used()
      await agents.ask('print', PRINTING)
      while ((await count('printers where current_print_id is not null')) < PRINTING) await sleep(500)
      say(`all print after ${((performance.now() - from.at) / 1000).toFixed(1)} s`)
      const begun = await untilQuiet(from)
      const events = await count(`printer_events where code = 'print_started'`)
      if (events !== PRINTING) throw new Error(`${events} beginnings were told of ${PRINTING}`)
      const withAll = megabytes()
      from = used()
      await agents.ask('leave')
      const left = await untilQuiet(from, AFTER_MS)
      say(`left: quiet after ${left.seconds.toFixed(0)} s, ${left.cpu.toFixed(1)} s of CPU`)
      const after = megabytes()
      from = used()
      await agents.ask('come', { url: server.url, tokens })
      const back = await untilQuiet(from)
      say(`back: quiet after ${back.seconds.toFixed(0)} s, ${back.cpu.toFixed(1)} s of CPU`)
      const withAgain = megabytes()
      const figure = (what: string, unit: string, value: number, aim?: Measurement['aim']): Measurement => ({
        what,
        unit,
        values: [value],
        ...(aim && { aim }),
      })
      return [
        figure('memory at rest', 'MB', rest),
        figure('CPU for an agent that comes', 'ms', (come.cpu * 1000) / AGENTS),
        figure('CPU for a print that begins', 'ms', (begun.cpu * 1000) / PRINTING),
        figure('prints begin: until quiet', 's', begun.seconds),
        figure('memory with all of them', 'MB', withAll),
        figure('they leave: until quiet', 's', left.seconds, { below: AIM_IDLE_S }),
        figure('they leave: CPU in the minute after', 's', left.cpu),
        figure('memory a minute after they left', 'MB', after, { below: AIM_AFTER_MB }),
        figure('they come back: CPU for each', 'ms', (back.cpu * 1000) / AGENTS),
        figure('they come back: until quiet', 's', back.seconds),
        figure('memory then', 'MB', withAgain),
      ]
    } finally {
      await agents.end()
      await server.stop()
    }
  },
}

export const benchmarks = [leaving]
