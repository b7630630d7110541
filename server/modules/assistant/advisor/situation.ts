import type { Plate, Preset, Settings, SlicingProfiles } from '@vigil/contract/assistant/presets.ts'
import { type Material, materialOf, settingOf, table } from './table.ts'

/** One setting as a word: of a list its first, of a boolean 1 or 0. */
export function wordOf(value: Settings[string] | undefined): string | null {
  const one = Array.isArray(value) ? value[0] : value
  if (one === undefined || one === null || one === '') return null
  if (typeof one === 'boolean') return one ? '1' : '0'
  return String(one).slice(0, 100)
}

/** The number in a word: `15%`, `0.2`; null for what is none. */
export function numberIn(word: string | null): number | null {
  const plain = word?.replace(/%$/, '').trim() ?? ''
  if (plain === '' || plain.length > 20) return null
  const number = Number(plain)
  return Number.isFinite(number) ? number : null
}

/** How things stand in somebody's slicer. */
export interface Situation {
  readonly printer: Preset | null
  readonly filament: Preset | null
  /** How many are selected. */
  readonly filaments: number
  readonly prints: readonly Preset[]
  /** The process preset that is selected. */
  readonly print: Preset | null
  readonly filamentOverrides: ReadonlyMap<string, string>
  readonly printOverrides: ReadonlyMap<string, string>
  /** What else the person has changed: theirs, and handed back as it came. */
  readonly others: { readonly filament: Settings; readonly print: Settings }
  readonly material: { readonly name: string; readonly about: Material } | null
  readonly plates: readonly Plate[]
}

const wordsOf = (settings: Settings): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(settings).flatMap(([key, value]) => {
      const word = settingOf(key) ? wordOf(value) : null
      return word === null ? [] : [[key, word] as const]
    }),
  )

const othersOf = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => settingOf(key) === undefined))

/** Reads what a page says of its slicer. Settings that are not in our table are left to the slicer. */
export function situationOf(given: SlicingProfiles, plates: readonly Plate[]): Situation {
  const prints = given.print_process_presets
  const named = given.use_print_process_preset
  const [filament = null] = given.filament_presets
  const print =
    prints.find(({ name }) => name === named) ?? prints.find((one) => one.is_selected) ?? prints[0] ?? null
  return {
    printer: given.printer_presets[0] ?? null,
    filament,
    filaments: given.filament_presets.length,
    prints,
    print,
    filamentOverrides: wordsOf(given.filament_overrides),
    printOverrides: wordsOf(given.print_process_overrides),
    others: { filament: othersOf(given.filament_overrides), print: othersOf(given.print_process_overrides) },
    material: filament ? materialIn(filament) : null,
    plates,
  }
}

/** By its own word for it, never by its name. */
function materialIn({ config }: Preset): Situation['material'] {
  const said = (wordOf(config['filament_type']) ?? '').toUpperCase()
  const name = Object.keys(table().materials).find(
    (one) => said === one || said.startsWith(`${one}-`) || said.startsWith(`${one}+`),
  )
  const about = name === undefined ? undefined : materialOf(name)
  return name !== undefined && about ? { name, about } : null
}

/** What a setting is now: what stands over its preset, else what that says. */
export function valueOf(
  { filament, print, filamentOverrides, printOverrides }: Situation,
  key: string,
): string | null {
  const of = settingOf(key)?.of
  if (of === undefined) return null
  const [own, preset] = of === 'filament' ? [filamentOverrides, filament] : [printOverrides, print]
  return own.get(key) ?? wordOf(preset?.config[key])
}

/** The same of a setting that is not in our table. */
export const otherOf = (situation: Situation, of: 'filament' | 'print', key: string): string | null =>
  wordOf(new Map(Object.entries(situation.others[of])).get(key)) ?? wordOf(situation[of]?.config[key])

/** The number that a setting of the printer or the filament is; null where it says none. */
export const numberOf = (preset: Preset | null, key: string): number | null =>
  numberIn(wordOf(preset?.config[key]))
