import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { missing } from './support.ts'

/** A share of a processor that some processes have together, as containers of small machines do. */
export interface Share {
  /** Takes a process in, with what it starts from now on. */
  take(pid: number): void
  /** How often they had to wait since it was asked last. */
  throttled(): number
  /** They have all processors again. */
  lift(): void
  /** When the last of them has gone, who may only just have been killed. */
  end(): Promise<void>
}

const ROOT = '/sys/fs/cgroup'
const PERIOD_US = 100_000

/** Gives processes so much of one processor, by a control group; null, with a plain word, where none can be made. */
export function shareOfProcessor(part: number): Share | null {
  const isSecond = existsSync(join(ROOT, 'cgroup.controllers'))
  const folder = join(isSecond ? ROOT : join(ROOT, 'cpu'), `vigil-test-${process.pid}`)
  const quota = String(Math.round(part * PERIOD_US))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const limit = (to: string) => {
    if (isSecond) write('cpu.max', `${to} ${PERIOD_US}`)
    else write('cpu.cfs_quota_us', to === 'max' ? '-1' : to)
  }
  try {
    mkdirSync(folder)
    if (!isSecond) write('cpu.cfs_period_us', String(PERIOD_US))
    limit(quota)
  } catch (error) {
    if (existsSync(folder)) rmdirSync(folder)
    missing(`a starved server: no control group of processors can be made (${String(error)})`, true)
    return null
  }
  let before = 0
  return {
    take: (pid) => write('cgroup.procs', String(pid)),
    throttled() {
      const all = Number(/nr_throttled (\d+)/.exec(readFileSync(join(folder, 'cpu.stat'), 'utf8'))?.[1] ?? 0)
      const since = all - before
      before = all
      return since
    },
    lift: () => limit('max'),
    end: () => vi.waitFor(() => rmdirSync(folder)),
  }
}
