/** A share of the processor and of the memory for processes, kept by the kernel: control groups, version 1, as root. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotMeasure } from './benchmark.ts'
import { membersOf } from './processes.ts'

const ROOT = '/sys/fs/cgroup'
/** Short, so that who has used up a share waits for milliseconds and not for a tenth of a second. */
const PERIOD_US = 20_000

interface Share {
  /** 0.25: a quarter of one core. */
  readonly cores: number
  readonly memoryBytes?: number
}

export interface Cgroup {
  /** Takes in a process and all that descend from it, and what they start from then on. */
  take(pid: number): void
  /** Gives it another share from now on. */
  give(cores: number): void
  /** Of the periods in which it had work, the share in which it was made to wait, since it was asked last. */
  throttled(): number
  /** Bytes: the most there ever were, files that the system could drop among them; and how often the limit was met. */
  memory(): { readonly most: number; readonly refused: number; readonly killed: number }
  /** Its processes must have ended. */
  close(): void
}

let last = 0

/** Makes a group of its own. Raises `CannotMeasure` where there are none. */
export function openCgroup({ cores, memoryBytes }: Share): Cgroup {
  const name = `vigil-bench-${process.pid}-${++last}`
  const [cpu, memory] = [join(ROOT, 'cpu', name), join(ROOT, 'memory', name)]
  if (!existsSync(join(ROOT, 'cpu/cpu.cfs_quota_us')))
    throw new CannotMeasure('there are no control groups of version 1 here')
  const set = (folder: string, key: string, value: number) => writeFileSync(join(folder, key), String(value))
  const give = (share: number) => set(cpu, 'cpu.cfs_quota_us', Math.round(PERIOD_US * share))
  try {
    mkdirSync(cpu)
    set(cpu, 'cpu.cfs_period_us', PERIOD_US)
    give(cores)
    if (memoryBytes !== undefined) {
      mkdirSync(memory)
      set(memory, 'memory.limit_in_bytes', memoryBytes)
    }
  } catch (error) {
    throw new CannotMeasure(`no control group can be made (are you root?): ${String(error)}`)
  }
  const number = (folder: string, file: string, key?: string) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return Number(key === undefined ? text : (new RegExp(`^${key} (\\d+)`, 'm').exec(text)?.[1] ?? 0))
  }
  let before = { periods: 0, throttled: 0 }
  return {
    take(pid) {
      for (const member of membersOf(pid))
        for (const folder of memoryBytes === undefined ? [cpu] : [cpu, memory])
          set(folder, 'cgroup.procs', member)
    },
    give,
    throttled() {
      const now = {
        periods: number(cpu, 'cpu.stat', 'nr_periods'),
        throttled: number(cpu, 'cpu.stat', 'nr_throttled'),
      }
      const share = (now.throttled - before.throttled) / Math.max(1, now.periods - before.periods)
      before = now
      return share
    },
    memory: () => ({
      most: number(memory, 'memory.max_usage_in_bytes'),
      refused: number(memory, 'memory.failcnt'),
      killed: number(memory, 'memory.oom_control', 'oom_kill'),
    }),
    close() {
      for (const folder of [cpu, memory]) if (existsSync(folder)) rmdirSync(folder)
    },
  }
}
