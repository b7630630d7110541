import type { Measurement } from './benchmark.ts'
import { median } from './numbers.ts'
import { cpuOf } from './processes.ts'
import type { BenchServer } from './server.ts'

export const RUNS = 5
export const CALLS = 10

async function ask(server: BenchServer, cookie: string, path: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${server.url}/api/v1/${path}`, { headers: { cookie } })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return performance.now() - began
}

/** Milliseconds of each run: the median of its calls; and the processor time of one. `path` is below the API's. */
export async function measureCall(
  server: BenchServer,
  cookie: string,
  { what, path, below }: { what: string; path: string; below: number },
): Promise<Measurement[]> {
  await ask(server, cookie, path)
  const times: number[] = []
  const cpu: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const before = cpuOf(server.pid)
    const calls: number[] = []
    for (let at = 0; at < CALLS; at++) calls.push(await ask(server, cookie, path))
    const after = cpuOf(server.pid)
    times.push(median(calls))
    cpu.push(((after.node + after.postgres - before.node - before.postgres) * 1000) / CALLS)
  }
  return [
    { what, unit: 'ms', values: times, aim: { below } },
    { what: 'of which CPU of the server', unit: 'ms', values: cpu },
  ]
}
