/** The newest status of a printer: its time as the agent gave it, as we show it (seconds), and when it came (ms). */
export interface Seen {
  readonly raw: number
  readonly shown: number
  readonly at: number
}

/** An agent's clock this far ahead is wrong. */
const AHEAD_SECONDS = 60
/** Nothing newer for this long: what looks older comes from a clock that went back, not from a queue. */
const QUIET_MS = 45_000

/**
 * Places a status in time; null when it is older than the one we have (docs/wire/agents.md 5). A clock that is ahead
 * never freezes a printer: such a status is shown with the time of its arrival, so that clients, which drop what
 * is older than what they show, accept the correct ones that follow (docs/rules/prints.md 4).
 */
export function place(before: Seen | null, raw: number, now: number): Seen | null {
  const isAhead = raw > now / 1000 + AHEAD_SECONDS
  if (before !== null && raw < before.raw) {
    const wasAhead = before.raw > before.at / 1000 + AHEAD_SECONDS
    const isCorrected = wasAhead && !isAhead
    if (!isCorrected && now - before.at < QUIET_MS) return null
  }
  const isShifted = isAhead || (before !== null && raw < before.shown)
  return { raw, shown: isShifted ? Math.max(now / 1000, before?.shown ?? 0) : raw, at: now }
}
