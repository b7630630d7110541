import type { StatusReading } from '@vigil/contract/core/status.ts'

/** What is remembered of a heater: its target, and whether that was told. */
export interface Tracker {
  readonly target: number
  readonly reached: boolean
}

/** A heater as the status has it. */
export interface Heater {
  readonly name: string
  readonly actual: number
  readonly target: number
  readonly offset: number
}

export interface Fired extends Heater {
  readonly what: 'reached' | 'cooled'
}

export interface HeaterChange {
  /** Trackers to write, by name; null: forget. */
  readonly changes: ReadonlyMap<string, Tracker | null>
  readonly fired: readonly Fired[]
}

/** Below this a heater counts as cold (docs/rules/prints.md 5). */
const COOLED = 35
const MAX_HEATERS = 32

/** Heaters of a status; sensors have no target and are left out. */
export function heatersOf(status: StatusReading): Heater[] {
  const heaters: Heater[] = []
  for (const { name, actual, target, offset } of status.temperatures) {
    if (target === null || name.length > 100 || heaters.length >= MAX_HEATERS) continue
    heaters.push({ name, actual, target, offset })
  }
  return heaters
}

function reachedState({ actual, target }: Heater, delta: number): Fired['what'] | null {
  if (target <= COOLED) return actual <= COOLED ? 'cooled' : null
  return Math.abs(target - actual) < delta ? 'reached' : null
}

/** What a status changes about the trackers, and which heaters have just got there (docs/rules/prints.md 5). */
export function trackHeaters(
  trackers: ReadonlyMap<string, Tracker>,
  heaters: readonly Heater[],
  delta: number,
): HeaterChange {
  const changes = new Map<string, Tracker | null>()
  const fired: Fired[] = []
  for (const heater of heaters) {
    const before = trackers.get(heater.name)
    if (before?.target === heater.target && before.reached) continue
    const what = reachedState(heater, delta)
    if (what !== null) fired.push({ ...heater, what })
    if (before?.target !== heater.target || what !== null) {
      changes.set(heater.name, { target: heater.target, reached: what !== null })
    }
  }
  for (const name of trackers.keys())
    if (!heaters.some((heater) => heater.name === name)) changes.set(name, null)
  return { changes, fired }
}
