/** Seconds of video at a time, and of rest after it, where a plan has no more (docs/rules/pages.md 9). */
export const PLAY_S = 30
export const REST_S = 30

/** One cycle of play and rest. */
export interface Cycle {
  /** Seconds of play that are left. */
  left: number
  /** Seconds of rest that are left; 0 when it may play. */
  rest: number
}

export const READY: Cycle = { left: PLAY_S, rest: 0 }

/** A second later: it played, or it didn't. */
export function nextSecond({ left, rest }: Cycle, playing: boolean): Cycle {
  if (rest > 0) return rest > 1 ? { left, rest: rest - 1 } : READY
  if (!playing) return { left, rest }
  return left > 1 ? { left: left - 1, rest } : { left: 0, rest: REST_S }
}

/** When the next cycle begins, in ms: what is kept of it in the browser. */
export const nextCycleAt = ({ left, rest }: Cycle, nowMs: number): number =>
  nowMs + (rest > 0 ? rest : left + REST_S) * 1000

/** The cycle as it was kept; one that is over, or that no cycle lasts, is a new one. */
export function restored(kept: string | null, nowMs: number): Cycle {
  const seconds = Math.ceil((Number(kept ?? NaN) - nowMs) / 1000)
  if (!(seconds > 0 && seconds <= PLAY_S + REST_S)) return READY
  return seconds > REST_S ? { left: seconds - REST_S, rest: 0 } : { left: 0, rest: seconds }
}
