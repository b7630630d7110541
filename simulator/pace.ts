import type { Pace } from './types.ts'

/** The agents wake each second; more often only when a knob asks for more than one report or picture a second. */
export function tickMs(pace: Pace): number {
  const second = 1000 / pace.timeScale
  const picture = pace.picEverySeconds * second
  const status = (pace.statusEverySeconds ?? 1) * 1000
  return Math.max(20, Math.min(second, picture, status))
}
