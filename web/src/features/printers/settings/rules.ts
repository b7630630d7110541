/** What a switch sets when it is turned on; off is 0 for movements and -1 for time-lapses. */
export const DEFAULTS = { retract: 6.5, lift: 2.5, finishSecs: 600, cancelSecs: 300 } as const
export const TIMELAPSE_OFF = -1

/** Movements never go below 0; an empty field keeps what was there. */
export function movement(input: string | number, held: number): number {
  const value = typeof input === 'number' ? input : Number.parseFloat(input)
  return Number.isFinite(value) ? Math.max(0, value) : held
}

/** Minutes as typed to seconds as stored. */
export function secondsOf(minutes: string | number, held: number): number {
  const value = typeof minutes === 'number' ? minutes : Number.parseFloat(minutes)
  return Number.isFinite(value) ? Math.max(0, Math.round(value * 60)) : held
}
