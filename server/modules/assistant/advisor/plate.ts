import type { AssistantMessage } from '@vigil/contract/assistant/answers.ts'
import type { Plate } from '@vigil/contract/assistant/presets.ts'
import type { Language } from '../../../http/texts.ts'
import { say } from './say.ts'
import type { Situation } from './situation.ts'
import { ruleOf, table } from './table.ts'

type Measures = Readonly<Record<string, number>>

/** What the slicer has measured of each model; of one without measures nothing is said. */
function measuresOf(plates: readonly Plate[]): Measures[] {
  return plates
    .flatMap((plate) => plate.model_objects)
    .flatMap(({ features }) => {
      if (!features) return []
      const numbers = Object.entries(features).flatMap(([key, value]) =>
        typeof value === 'number' && Number.isFinite(value) ? [[key, value] as const] : [],
      )
      const all = Object.fromEntries(numbers)
      const [overhang, whole] = [all['overhang'], all['area_total']]
      if (overhang !== undefined && whole !== undefined && whole > 0) all['overhangShare'] = overhang / whole
      return [all]
    })
}

/** What to look out for on a plate, by its models' measures, and what to ask for then: in words that the advisor understands. */
export function plateAdvice(
  situation: Situation,
  language: Language,
): Pick<AssistantMessage, 'content' | 'suggested_printing_method'> {
  const measures = measuresOf(situation.plates)
  const found = table().geometry.filter(
    ({ when, only }) =>
      (only === undefined || situation.material?.about.limits.warps === true) &&
      measures.some((all) => {
        const value = all[when.feature]
        return value !== undefined && (when.op === '>' ? value > when.value : value < when.value)
      }),
  )
  if (measures.length === 0)
    return { content: [...size(situation, language), say(language, 'plateNoMeasures')].join('\n') }
  const words = found.length === 0 ? [say(language, 'plateNone')] : found.map((one) => one[language])
  const methods = [...new Set(found.flatMap(({ apply }) => apply))].filter(
    (id) => !(id === 'supports' && found.some(({ apply }) => apply.includes('tree-supports'))),
  )
  const names = methods.flatMap((id) => ruleOf(id)?.name[language] ?? [])
  return {
    content: [...size(situation, language), ...words].join('\n'),
    ...(names.length > 0 ? { suggested_printing_method: names.join(language === 'zh' ? '，' : ', ') } : {}),
  }
}

function size({ plates }: Situation, language: Language): string[] {
  const boxes = plates.flatMap(({ bounding_box: box }) => (box ? [box] : []))
  const count = plates.reduce((sum, { model_objects: models }) => sum + models.length, 0)
  const [box] = boxes
  if (box === undefined || count === 0) return []
  const [x, y, z] = (['x', 'y', 'z'] as const).map((axis) =>
    String(Math.round((box.max[axis] - box.min[axis]) * 10) / 10),
  )
  return [say(language, 'plateSize', { count, x: x ?? '', y: y ?? '', z: z ?? '' })]
}
