import { vi } from 'vitest'

const waitFor = vi.waitFor.bind(vi)
const PATIENCE_MS = 60_000
/** Asking is work, too. */
const ASK_EVERY_MS = 100

/** What is waited for comes late on a busy machine: the second of `vi.waitFor` is no time. */
vi.waitFor = (callback, options) =>
  waitFor(
    callback,
    typeof options === 'number' ? options : { timeout: PATIENCE_MS, interval: ASK_EVERY_MS, ...options },
  )
