import { readdirSync, readFileSync } from 'node:fs'

/** Of a second, in which the system counts processor time (proc_pid_stat(5)). */
const TICK_MS = 10
/** It runs or would like to, or waits for a disk: not its own doing. */
const WANTS = new Set(['R', 'D'])

/** What a process has had of the processors, and whether it wants more of them now. */
export interface Work {
  /** Processor time of all its threads. */
  readonly usedMs: number
  /** A thread of it runs, or waits for its turn. */
  readonly isWanting: boolean
}

/** How a process stands with the processors; null where the system does not tell. */
export function workOf(pid: number): Work | null {
  try {
    const { used } = statOf(`/proc/${pid}/stat`)
    const states = readdirSync(`/proc/${pid}/task`).map((tid) => stateOf(`/proc/${pid}/task/${tid}/stat`))
    return { usedMs: used * TICK_MS, isWanting: states.some((state) => WANTS.has(state)) }
  } catch {
    return null
  }
}

/** Of a thread; one that has just ended wants nothing. */
function stateOf(path: string): string {
  try {
    return statOf(path).state
  } catch {
    return ''
  }
}

function statOf(path: string): { state: string; used: number } {
  const text = readFileSync(path, 'utf8')
  // The name before may have any letters in it; after it come the state and, ten fields on, user and system time.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', used: Number(fields[11]) + Number(fields[12]) }
}
