import { fieldsOf } from '@vigil/contract/fields.ts'
import { finite } from '../../../lib/format.ts'
import { type Heater, heaterKind, type HeaterKind } from '../../../printer/status.ts'

/** A preset of the printer: a name, and a target for each heater it names (docs/rules/pages.md 4). */
export interface Profile {
  name: string
  targets: Record<string, number>
}

const MAX_NOZZLE = 350
const MAX_BED = 140

export function maxTarget(key: string): number {
  const kind = heaterKind(key)
  return kind === 'bed' || kind === 'chamber' ? MAX_BED : MAX_NOZZLE
}

/** What the agent told of its presets; null where it never did, so that nothing can be set. */
export function readProfiles(settings: Record<string, unknown>): Profile[] | null {
  const said = settings['temp_profiles']
  if (!Array.isArray(said)) return null
  return said.flatMap((each: unknown) => {
    const { name, ...rest } = fieldsOf(each)
    if (typeof name !== 'string' || !name.trim()) return []
    const targets: Record<string, number> = {}
    for (const [key, value] of Object.entries(rest)) {
      const target = value === null ? null : finite(value)
      if (target !== null && target >= 0) targets[key] = target
    }
    return [{ name, targets }]
  })
}

/** A sensor has no target; without presets from the agent it is too old to be set. */
export function canSet(heater: Heater, profiles: Profile[] | null): boolean {
  return profiles !== null && heater.target !== null
}

/** The target that a preset has for a heater, whichever of both agents' names it goes by. */
export function presetTarget(profile: Profile, key: string): number | null {
  const names: Record<HeaterKind, string[]> = {
    nozzle: ['extruder', 'tool0'],
    bed: ['heater_bed', 'bed'],
    chamber: ['chamber'],
    other: [],
  }
  const found = [key, ...names[heaterKind(key)]].find((name) => Object.hasOwn(profile.targets, name))
  return found === undefined ? null : Math.min(profile.targets[found] ?? 0, maxTarget(key))
}

/** What a preset sets, heater by heater; `off` turns all of them off. The chamber is only ever heated by one. */
export function applyProfile(profile: Profile | 'off', heaters: Heater[]): { key: string; target: number }[] {
  return heaters.flatMap(({ key, target: current }) => {
    if (current === null) return []
    if (profile === 'off') return [{ key, target: 0 }]
    const target = presetTarget(profile, key)
    if (target === null || (heaterKind(key) === 'chamber' && target <= 0)) return []
    return [{ key, target }]
  })
}
