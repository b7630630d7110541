import type { ChosenProfiles, Settings } from '@vigil/contract/assistant/presets.ts'
import type { Edited, Preset } from '../bridge/index.ts'
import { wordOf } from './apply.ts'

/** A setting that does not stand in the slicer as it was to be; `now` null: it says nothing of it. */
export interface Otherwise {
  readonly parameter: string
  readonly now: string | null
}

/** How an answer calls the process preset among its changes. */
export const PRESET = 'print_process_preset'

const SWITCH = new Map([
  ['true', '1'],
  ['false', '0'],
])
/** Slicers write one value in several ways: `0.20`, `0.2`; `true`, `1`; of several nozzles the first counts. */
function plain(word: string): string {
  const first = word.split(/[,;]/, 1).join('').trim().toLowerCase()
  const number = Number(first.replace(/%$/, ''))
  return SWITCH.get(first) ?? (first !== '' && Number.isFinite(number) ? String(number) : first)
}

/** What was applied and does not stand there, by what the slicer says when it is asked: of these parameters, or of all. */
export function otherwiseIn(
  profiles: ChosenProfiles,
  { filament, process }: Pick<Edited, 'filament' | 'process'>,
  parameters: ReadonlySet<string> | null = null,
): Otherwise[] {
  const preset =
    process.name === profiles.use_print_process_preset ? [] : [{ parameter: PRESET, now: process.name }]
  const over = (wanted: Settings, { config }: Preset) =>
    Object.entries(wanted).flatMap(([parameter, value]) => {
      const [asked, now] = [wordOf(value), wordOf(config[parameter] ?? null)]
      const isMeant = asked !== null && (parameters === null || parameters.has(parameter))
      return !isMeant || (now !== null && plain(now) === plain(asked)) ? [] : [{ parameter, now }]
    })
  return [
    ...preset,
    ...over(profiles.filament_overrides, filament),
    ...over(profiles.print_process_overrides, process),
  ]
}

/** What was applied, is to stand over the presets no more, and does. */
export function leftIn(
  applied: ChosenProfiles,
  before: ChosenProfiles,
  { filament, process }: Pick<Edited, 'filament' | 'process'>,
): Otherwise[] {
  const left = (was: Settings, is: Settings, { config, dirty_options }: Preset) =>
    Object.keys(was).flatMap((parameter) =>
      parameter in is || !dirty_options.includes(parameter)
        ? []
        : [{ parameter, now: wordOf(config[parameter] ?? null) }],
    )
  return [
    ...left(applied.filament_overrides, before.filament_overrides, filament),
    ...left(applied.print_process_overrides, before.print_process_overrides, process),
  ]
}
