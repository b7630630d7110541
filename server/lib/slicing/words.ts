import type { Values } from './bundle.ts'
import { type Engine, engineOf } from './catalogue.ts'
import { flatSettings, NEVER } from './flat.ts'
import { listOf } from './orca.ts'
import { BadSetting, inOurWords, inTheirWords, type SettingNote, settingOf, wordOf } from './settings.ts'

type Given = Readonly<Record<string, unknown>>
type Sizes = Parameters<typeof inTheirWords>[2]

/** The profiles of one slicing, with what is set over them. */
export interface Layers {
  readonly machine: { readonly name: string; readonly values: Values }
  readonly print: { readonly name: string; readonly values: Values }
  readonly filament: { readonly name: string; readonly values: Values }
  readonly own: Values
}

/** How an engine's profiles speak: what they say in our words, what somebody sets in theirs, and the settings that the engine is given. */
interface EngineWords {
  ours(of: 'print' | 'filament', values: Values): Record<string, string | string[]>
  /** Raises `BadSetting`. */
  theirs(given: Given, profile: Values, sizes?: Sizes): { values: Values; notes: readonly SettingNote[] }
  settings(layers: Layers): string
}

const prusa: EngineWords = {
  ours: inOurWords,
  theirs: inTheirWords,
  settings: ({ machine, print, filament, own }) =>
    flatSettings(
      machine.values,
      print.values,
      filament.values,
      own,
      new Map([
        ['printer_settings_id', machine.name],
        ['print_settings_id', print.name],
        ['filament_settings_id', `"${filament.name.replaceAll('"', "'")}"`],
      ]),
    ),
}

/** OrcaSlicer's are our own. */
const orca: EngineWords = {
  ours: (of, values) =>
    Object.fromEntries(
      [...values].flatMap(([key, value]) => {
        if (settingOf(key)?.of !== of) return []
        const all = listOf(value)
        return [[key, of === 'filament' ? [...(all ?? [value])] : (all?.[0] ?? value)] as const]
      }),
    ),
  theirs(given) {
    const values = new Map<string, string>()
    const notes: SettingNote[] = []
    for (const [key, raw] of Object.entries(given)) {
      const value = raw === null ? '' : wordOf(raw)
      if (value === '') continue
      const setting = settingOf(key)
      if (value === null || setting?.isValid(value) === false) throw new BadSetting(key)
      if (setting === null) notes.push({ key, value, used: null })
      else values.set(key, setting.of === 'filament' ? JSON.stringify([value]) : value)
    }
    return { values, notes }
  },
  settings: ({ machine, print, filament, own }) => {
    const ownOf = (of: 'print' | 'filament') => [...own].filter(([key]) => settingOf(key)?.of === of)
    return JSON.stringify({
      machine: asProfile('machine', machine, []),
      process: asProfile('process', print, ownOf('print')),
      filament: asProfile('filament', filament, ownOf('filament')),
    })
  },
}

/** Says which profiles there are, and would have the engine look for them. */
const OF_FILES = new Set(['inherits', 'instantiation', 'setting_id', 'filament_id', 'type', 'name', 'from'])

function asProfile(
  type: string,
  { name, values }: Layers['machine'],
  own: readonly (readonly [string, string])[],
): Record<string, unknown> {
  const said = [...values, ...own].filter(([key]) => !NEVER.has(key) && !OF_FILES.has(key))
  const all = said.map(([key, value]) => [key, listOf(value) ?? value] as const)
  // Whoever has no parent says so itself.
  return { type, name, from: 'User', inherits: '', version: '1.0.0.0', ...Object.fromEntries(all) }
}

const WORDS: Readonly<Record<Engine, EngineWords>> = { prusa, orca }

/** The words of the engine whose profile this is. */
export const wordsFor = ({ subPath }: { readonly subPath: string }): EngineWords => WORDS[engineOf(subPath)]
