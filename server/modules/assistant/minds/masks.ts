import { numberIn, type Situation, valueOf, wordOf } from '../advisor/situation.ts'
import { LlmFailed } from '../../../engines/llm/index.ts'
import { limitsOf } from '../advisor/limits.ts'
import { table } from '../advisor/table.ts'

/**
 * What a model is shown of somebody's slicer. Names of presets, plates, models and printers are what anybody may have typed: none reaches
 * a model. It gets words of ours for them (`preset_2`), and of their values only those of our table, each checked for its kind. So no name
 * can tell it what to do.
 */
export interface Masks {
  /** Presets by our word for them. */
  readonly presets: ReadonlyMap<string, Situation['prints'][number]>
  /** The text with our words in the place of names. */
  hide(text: string): string
  /** The same text with the names again. */
  show(text: string): string
}

const SHORTEST = 3
/** So many different ones are looked for in each message. */
const MOST_NAMES = 2_000

/** Raises `LlmFailed` where there are too many names. */
export function masksOf(situation: Situation): Masks {
  const presets = new Map(situation.prints.map((preset, i) => [`preset_${i + 1}`, preset]))
  const models = situation.plates.flatMap((plate) => plate.model_objects)
  const named: [name: string, word: string][] = [
    ...[...presets].map(([word, { name }]): [string, string] => [name, word]),
    ...models.map(({ name }, i): [string, string] => [name, `model_${i + 1}`]),
    ...situation.plates.map(({ name = '' }, i): [string, string] => [name, `plate_${i + 1}`]),
    [situation.filament?.name ?? '', 'the filament'],
    [situation.printer?.name ?? '', 'the printer'],
  ]
  const words = new Map(named.toReversed().filter(([name]) => name.trim().length >= SHORTEST))
  if (words.size > MOST_NAMES) throw new LlmFailed('there are too many names to keep from it')
  // The longest first: one name may stand within another.
  const known = [...words].toSorted(([a], [b]) => b.length - a.length)
  return {
    presets,
    hide: (text) => known.reduce((all, [name, word]) => all.replaceAll(name, word), text),
    show: (text) => text.replaceAll(/\bpreset_(\d{1,4})\b/g, (word) => presets.get(word)?.name ?? word),
  }
}

/** Words that makers put into the names of presets: these alone are handed on. */
const TAGS = [
  'extra fine',
  'extra draft',
  'fine',
  'draft',
  'optimal',
  'standard',
  'strength',
  'quality',
  'speed',
  'silent',
  'balanced',
  'detail',
  'vase',
]

/** Each preset by our word for it, with what it comes to. */
export function presetFacts({ presets }: Masks, situation: Situation): string {
  const facts = [...presets].map(([preset, { name, config }]) => {
    const low = name.slice(0, 200).toLowerCase()
    return {
      preset,
      is_selected: name === situation.print?.name,
      layer_height: numberIn(wordOf(config['layer_height'])),
      walls: numberIn(wordOf(config['wall_loops'])),
      infill_percent: numberIn(wordOf(config['sparse_infill_density'])),
      outer_wall_speed: numberIn(wordOf(config['outer_wall_speed'])),
      tags: TAGS.filter((tag) => low.includes(tag)).slice(0, 1),
    }
  })
  return JSON.stringify(facts)
}

/** Every setting that may be changed: its kind, its value now, and what it may be here. */
export function settingFacts(situation: Situation): string {
  const facts = Object.entries(table().settings).map(([key, { of, type, name, values, unit }]) => {
    const limits = limitsOf(situation, key)
    const value = valueOf(situation, key)
    const isPlain = value !== null && (numberIn(value) !== null || Object.hasOwn(values ?? {}, value))
    return {
      key,
      of,
      type,
      meaning: name.en,
      ...(unit === '' ? {} : { unit }),
      now: isPlain ? value : null,
      ...(limits ? { least: limits.least, most: limits.most } : {}),
      ...(values ? { one_of: Object.keys(values) } : {}),
    }
  })
  return JSON.stringify(facts)
}

/** What is on the plates: numbers alone. */
export function plateFacts({ plates, material }: Situation): string {
  const models = plates.flatMap((plate) => plate.model_objects)
  const measures = models.slice(0, 50).map(({ features }, i) => ({
    model: `model_${i + 1}`,
    ...Object.fromEntries(
      Object.entries(features ?? {}).filter(([key, value]) => FEATURES.has(key) && typeof value === 'number'),
    ),
  }))
  return JSON.stringify({ material: material?.name ?? 'unknown', models: measures })
}
const FEATURES = new Set([
  'overhang',
  'bottom',
  'area_total',
  'volume',
  'height_to_bottom_hull_ratio',
  'radius',
])
