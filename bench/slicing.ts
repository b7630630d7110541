import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cubeOn, systemMachines } from '../server/test/sweep.ts'
import type { Benchmark } from './lib/benchmark.ts'
import { watchCrowd } from './lib/crowd.ts'
import { quantile } from './lib/numbers.ts'
import { killFamily, memoryOfFamily } from './lib/processes.ts'
import { startBenchServer } from './lib/server.ts'
import { slicerOf, torus } from './lib/slicing.ts'

const AGENTS = 200
const JOBS = 20
const TRIANGLES = 20_000
const QUIET = 2
const WORSE_MS = 20
const LOST_WITHIN_MS = 8 * 60_000

const machines: Benchmark = {
  name: 'slicing-machines',
  conditions:
    'Every machine of the bundles of the installed PrusaSlicer slices a cube of 15 mm with the filament and the process that it comes with, one after the other.',
  async run(say) {
    const all = [...(await systemMachines()).values()]
    const failed: string[] = []
    const began = performance.now()
    for (const machine of all) {
      const made = await cubeOn(machine)
      if (typeof made === 'string') failed.push(`${machine.name}: ${made}`)
    }
    for (const line of failed) say(line)
    return [
      { what: 'machines', unit: '', values: [all.length] },
      {
        what: 'that slice it',
        unit: '',
        values: [all.length - failed.length],
        aim: { above: all.length - 2 },
      },
      { what: 'all of them', unit: 's', values: [(performance.now() - began) / 1000] },
    ]
  },
}

const jobs: Benchmark = {
  name: 'slicing-jobs',
  conditions:
    `${AGENTS} simulated agents (half of them printing) beside browsers, on two cores; in ${QUIET} windows of 10 s nothing is sliced, ` +
    `in the others ${JOBS} slicings of a torus of ${TRIANGLES.toLocaleString('en-US')} triangles that were asked for at once.`,
  async run(say) {
    let begun: ReturnType<typeof slicerOf> | null = null
    const windows = await watchCrowd({
      agents: AGENTS,
      say,
      async before(window, server, cookie) {
        if (window !== QUIET) return
        begun = slicerOf(server, cookie)
        await begun.begin(await begun.bring(torus(TRIANGLES), 'torus.stl'), JOBS)
      },
      async after() {
        const all = (await begun?.jobs()) ?? []
        say(`${all.filter(({ status }) => status === 'done').length} of ${all.length} were done meanwhile`)
      },
    })
    const p95 = windows.map(({ ages }) => quantile(ages, 0.95))
    const [quiet, busy] = [p95.slice(0, QUIET), p95.slice(QUIET)]
    return [
      { what: 'agent to browser, p95, nothing sliced', unit: 'ms', values: quiet },
      { what: 'agent to browser, p95, while slicing', unit: 'ms', values: busy },
      {
        what: 'that is worse by',
        unit: 'ms',
        values: busy.map((one) => one - quantile(quiet, 0.5)),
        aim: { below: WORSE_MS },
      },
      {
        what: "memory of Node's processes and the slicer",
        unit: 'MB',
        values: windows.map(({ rss }) => rss / 1e6),
      },
    ]
  },
}

const killed: Benchmark = {
  name: 'slicing-killed',
  conditions: `${JOBS} slicings at once; when some are done the server, its PostgreSQL and the slicer are killed (kill -9), and it is started again on the same folder.`,
  async run(say) {
    const dataFolder = await mkdtemp(join(tmpdir(), 'vigil-bench-'))
    const first = await startBenchServer({ dataFolder })
    const cookie = await first.signIn()
    const own = slicerOf(first, cookie)
    const ids = await own.begin(await own.bring(torus(TRIANGLES), 'torus.stl'), JOBS)
    const done = (all: Awaited<ReturnType<typeof own.jobs>>) => all.filter(({ status }) => status === 'done')
    while (done(await own.jobs()).length < 3) await sleep(500)
    const before = done(await own.jobs()).length
    const megabytes = memoryOfFamily(first.pid).node.rss / 1e6
    killFamily(first.pid)
    await first.stop({ keepData: true })
    say(`${before} of ${ids.length} were done when all was killed`)
    const began = performance.now()
    const second = await startBenchServer({ dataFolder })
    try {
      const again = slicerOf(second, cookie)
      const end = performance.now() + LOST_WITHIN_MS
      while (done(await again.jobs()).length < JOBS && performance.now() < end) await sleep(1_000)
      const all = await again.jobs()
      const files = new Set(all.map(({ gcode_file_id: id }) => id).filter((id) => id !== null))
      return [
        { what: 'done before', unit: '', values: [before] },
        { what: 'lost', unit: '', values: [JOBS - done(all).length], aim: { below: 1 } },
        { what: 'files', unit: '', values: [files.size] },
        { what: 'all done after the start', unit: 's', values: [(performance.now() - began) / 1000] },
        { what: 'memory of the server while it slices', unit: 'MB', values: [megabytes] },
      ]
    } finally {
      await second.stop()
      await rm(dataFolder, { recursive: true, force: true })
    }
  },
}

export const benchmarks = [machines, jobs, killed]
