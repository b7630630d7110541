import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import type { ToChild } from './messages.ts'
import { type Work, workOf } from './processor.ts'

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
