/** Heaters of first order: quick near the target, slow to cool, with a little noise of the sensor. */
import type { Heater } from './program.ts'

interface HeaterState {
  actual: number
  target: number
}

export type Heaters = Record<Heater, HeaterState>

/** Degrees of the room. */
export const AMBIENT = 23.5

/** Time constants in seconds to heat and to cool, and the most degrees a second. */
const NATURE: Record<Heater, { heat: number; cool: number; rise: number }> = {
  extruder: { heat: 14, cool: 75, rise: 3.2 },
  bed: { heat: 26, cool: 260, rise: 1.1 },
}

/** Heaters that have been off for long. */
export function coldHeaters(): Heaters {
  return { extruder: { actual: AMBIENT, target: 0 }, bed: { actual: AMBIENT, target: 0 } }
}

/** Lets the heaters follow their targets for `seconds`. */
export function warm(heaters: Heaters, seconds: number, random: () => number): void {
  for (const name of ['extruder', 'bed'] as const) {
    const heater = heaters[name]
    const { heat, cool, rise } = NATURE[name]
    const goal = Math.max(heater.target, AMBIENT)
    const tau = goal > heater.actual ? heat : cool
    const change = (goal - heater.actual) * (1 - Math.exp(-seconds / tau))
    heater.actual += Math.min(change, rise * seconds) + (random() - 0.5) * 0.12
  }
}
