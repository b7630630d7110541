import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import type { ToChild } from './messages.ts'

/** Of a second, in which the system counts processor time (proc_pid_stat(5)). */
const TICK_MS = 10
/** It runs or would like to, or waits for a disk: not its own doing. */
const WANTS = new Set(['R', 'D'])

/** What a process has had of the processors, and whether it wants more of them now. */
interface Work {
  /** Processor time of all its threads. */
  readonly usedMs: number
  /** A thread of it runs, or waits for its turn. */
  readonly isWanting: boolean
}

/** How a process stands with the processors; null where the system does not tell. */
function workOf(pid: number): Work | null {
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

const BEAT_MS = 1_000
/** A child that says nothing for so long hangs: a request loops, or the process was stopped (`hungFor`). */
export const SILENT_MS = 20_000
/** A small computer takes its time to load the program. */
const LOADING_MS = 120_000
/** For the stack of a loop to be written. */
const LAST_WORDS_MS = 1_000

/** With this a child writes the stack of what it is doing at SIGINT, also in the middle of a loop, and nothing else. */
export const TELLS_ITS_STACK = '--trace-sigint'

/**
 * How much of a child's silence counts. One that wants no processor and says nothing is stopped, or waits for what never
 * comes: by the clock. One that wants a processor may only be short of it, as on a small machine where thousands come at
 * once: by the processor time that it had, which one that loops uses up as soon as it gets any.
 */
function hungFor(passedMs: number, before: Work | null, now: Work | null): number {
  if (before === null || now === null || !now.isWanting) return passedMs
  return Math.min(passedMs, now.usedMs - before.usedMs)
}

/**
 * Exchanges heart-beats with a child until it ends, and kills it when it has said nothing for so long while our own
 * loop ran. Where it looped, its stack stands in its log.
 */
export function watchChild(child: ChildProcess, log: Pick<Logger, 'error'>, silentMs = SILENT_MS): void {
  // One that ended while the database was being started is waited for by nobody.
  if (child.exitCode !== null || child.signalCode !== null) return
  let silence = 0
  let patience = LOADING_MS
  let lookedAt = performance.now()
  let work: Work | null = null
  child.on('message', () => {
    silence = 0
    patience = silentMs
  })
  const look = (): void => {
    const now = performance.now()
    // While our own loop stood still (a machine that swaps, a stopped process) nobody could be heard.
    const passed = Math.min(now - lookedAt, 2 * BEAT_MS)
    lookedAt = now
    const before = work
    // One that answers is not looked at.
    work = silence === 0 || child.pid === undefined ? null : workOf(child.pid)
    silence += hungFor(passed, before, work)
    if (silence < patience) {
      if (child.connected) child.send({ say: 'beat' } satisfies ToChild, () => {})
      return
    }
    clearInterval(timer)
    log.error(
      { pid: child.pid, seconds: Math.round(silence / 1000) },
      'the server hangs and is replaced; where it loops, its stack follows',
    )
    child.kill('SIGINT')
    setTimeout(() => child.kill('SIGKILL'), LAST_WORDS_MS)
  }
  const timer = setInterval(look, BEAT_MS)
  child.once('exit', () => clearInterval(timer))
}
