import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then a server that has just started has nothing better to do. */
const AFTER_MS = 3_000

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Gives memory back that only the start of this thread needed, once, in a moment: a third of what a server at rest
 * holds. V8 does so by itself only where memory is short.
 */
export function tidySoon(afterMs = AFTER_MS): NodeJS.Timeout {
  return setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as Collect
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, afterMs).unref()
}
