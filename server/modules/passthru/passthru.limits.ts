import type { PassthruCall } from '@vigil/contract/passthru.ts'

/** Calls at once, and a second after that: a held jog button stays below it. */
const BURST = 40
const PER_SECOND = 10
const MAX_DETAIL = 2_000

/** Lets a burst through and then a steady rate. */
export class Bucket {
  readonly #now: () => number
  #tokens = BURST
  #at: number

  constructor(now: () => number) {
    this.#now = now
    this.#at = now()
  }

  take(): boolean {
    const now = this.#now()
    this.#tokens = Math.min(BURST, this.#tokens + (Math.max(0, now - this.#at) / 1000) * PER_SECOND)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}

/** What an audit row keeps of a call: no signatures of addresses, and not a whole script. */
export function auditDetail({ func, args, kwargs }: PassthruCall): Record<string, unknown> {
  const json = JSON.stringify({ func, args, kwargs }, (key, value: unknown) =>
    key === 'url' && typeof value === 'string' ? value.split('?', 1)[0] : value,
  )
  if (json.length <= MAX_DETAIL) return JSON.parse(json) as Record<string, unknown>
  return { func, cut: json.slice(0, MAX_DETAIL).toWellFormed() }
}
