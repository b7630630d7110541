import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until `look` finds something; raises an error with what was there instead. */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  ms = 60_000,
  instead?: () => string,
): Promise<T> {
  const until = Date.now() + ms
  // What comes late is asked for less often: asking is work, too.
  for (let pause = 20; ; pause = Math.min(pause * 1.4, 200)) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > until) throw new Error(`did not happen in ${ms} ms${instead ? `: ${instead()}` : ''}`)
    await sleep(pause)
  }
}
