import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then a server that has just started has nothing better to do. */
const AFTER_MS = 3_000
const LOOK_EVERY_MS = 10_000
/** Less than this is not worth the moment that it takes. */
const WORTH_BYTES = 32 * 1024 * 1024
/** A thread that works more than this share of the time has better things to do. */
const QUIET_SHARE = 0.05
/** Where a crowd has left, what still runs for it (prints that nobody watches are looked at) is not quiet, but calm. */
const CALM_SHARE = 0.2
const CALMER = 4
/** How busy it was is forgotten by so much at each look: by half within a minute or so. */
const STAYS = 0.9

type Collect = (
  options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' } | { type: 'minor' },
) => void

let run: Collect | undefined

function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return (run ??= runInNewContext('gc') as Collect)
}

const collect = (): void => collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/** Lets go of what was young and is needed no more, in a few milliseconds: whoever copies gigabytes leaves 32 MB of it standing otherwise, and more that grows old. */
export const tidyYoung = (): void => collector()({ type: 'minor' })

/**
 * Gives memory back that only the start of this thread needed, once, in a moment: a third of what a server at rest
 * holds. V8 does so by itself only where memory is short.
 */
export function tidySoon(afterMs = AFTER_MS): NodeJS.Timeout {
  return setTimeout(collect, afterMs).unref()
}

/** Whether a process that works so much of the time, and at most so much in the minutes before, can be tidied. */
export function isCalm(share: number, busiest: number): boolean {
  return share < QUIET_SHARE || share < Math.min(CALM_SHARE, busiest / CALMER)
}

/**
 * Gives memory back whenever this process is quiet, or far calmer than it was, after it has grown: when agents have left, nothing is
 * allocated any more, and so V8 never looks for what it could free.
 */
export function tidyWhenQuiet(lookEveryMs = LOOK_EVERY_MS): NodeJS.Timeout {
  let least = Infinity
  let busiest = 0
  let cpu = process.cpuUsage()
  let at = performance.now()
  const look = (): void => {
    const used = process.cpuUsage(cpu)
    const share = (used.user + used.system) / 1000 / (performance.now() - at)
    const size = heapSize()
    least = Math.min(least, size)
    busiest = Math.max(busiest * STAYS, share)
    if (isCalm(share, busiest) && size - least > WORTH_BYTES) {
      collect()
      least = heapSize()
    }
    cpu = process.cpuUsage()
    at = performance.now()
  }
  return setInterval(look, lookEveryMs).unref()
}

function heapSize(): number {
  const { total_heap_size, external_memory } = getHeapStatistics()
  return total_heap_size + external_memory
}
