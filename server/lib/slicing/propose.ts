import { keptBy } from '../of-server.ts'
import type { Brand, Machine, MachineModel } from './catalogue.ts'

/** What is known of a printer that is linked. */
export interface KnownPrinter {
  readonly name: string
  readonly model: string | null
  /** Width and depth in mm. */
  readonly bed: readonly [number, number] | null
  readonly nozzle: number | null
}

/** Firmware knows its bed to a few mm. */
const NEAR_MM = 4
const USUAL_NOZZLE = 0.4
/** Of what does not stand in the printer's name so much counts against a model. */
const MISSING = 0.3
/** What a bed of the right size is worth: it decides between models of one family, and makes none of nothing. */
const BED = 0.15
const LEAST = 0.04
const LONGEST = 200

/** A model among the words of all. */
interface Indexed {
  readonly model: MachineModel
  readonly size: number
  /** What all its words are worth. */
  readonly worth: number
}

/** All models, and the places of those that a word names: the fewer, the more it is worth. A catalogue of a thousand models is read once. */
const indexOf = keptBy((brands: readonly Brand[]) => {
  const all = brands.flatMap(({ brand, models }) =>
    models.map((model) => ({ model, words: wordsOf(`${brand} ${model.name} ${model.key}`) })),
  )
  const named = Map.groupBy(
    all.flatMap(({ words }, at) => [...words].map((word) => ({ word, at }))),
    ({ word }) => word,
  )
  const worthOf = (word: string) => 1 / (named.get(word)?.length ?? 1)
  const models = all.map(({ model, words }): Indexed => ({
    model,
    size: words.size,
    worth: [...words].reduce((sum, word) => sum + worthOf(word), 0),
  }))
  return { models, named }
})

/**
 * The machine of these that a printer seems to be: by the words of its name and model, the rarer the better; its bed decides
 * between models, its nozzle between machines. Null when its name says nothing of it. Costs what its own words name, so that
 * hundreds may be asked in one turn.
 */
export function proposeMachine(brands: readonly Brand[], printer: KnownPrinter): Machine | null {
  const { models, named } = indexOf(brands)
  const found = new Map<number, number>()
  for (const word of wordsOf(`${printer.name} ${printer.model ?? ''}`)) {
    const places = named.get(word) ?? []
    for (const { at } of places) found.set(at, (found.get(at) ?? 0) + 1 / places.length)
  }
  let best: MachineModel | null = null
  let most = 0
  for (const [at, said] of [...found].sort(([a], [b]) => a - b)) {
    const one = models[at]
    if (one === undefined || said < LEAST) continue
    const { model, size, worth } = one
    const missing = (worth - said) / size
    const score = said - missing * MISSING + (isBed(model, printer.bed) ? BED : 0)
    if (score > most) [best, most] = [model, score]
  }
  return best && withNozzle(best, printer.nozzle ?? USUAL_NOZZLE)
}

/** Words that say something, and neighbours as one: `Ender-3` and `ender3` are the same. */
function wordsOf(text: string): ReadonlySet<string> {
  const parts =
    text
      .slice(0, LONGEST)
      .toLowerCase()
      .match(/[a-z]{1,40}|\d{1,6}/g) ?? []
  const pairs = parts.map((part, i) => part + (parts[i + 1] ?? ''))
  const threes = parts.map((part, i) => part + (parts[i + 1] ?? '') + (parts[i + 2] ?? ''))
  return new Set([...parts, ...pairs, ...threes].filter((word) => word.length > 2 && /[a-z]/.test(word)))
}

function isBed({ machines }: MachineModel, bed: KnownPrinter['bed']): boolean {
  const [machine] = machines
  if (machine === undefined || bed === null || machine.bed.length < 3) return false
  const side = (axis: 0 | 1) => {
    const all = machine.bed.map((corner) => corner[axis])
    return Math.max(...all) - Math.min(...all)
  }
  return Math.abs(side(0) - bed[0]) <= NEAR_MM && Math.abs(side(1) - bed[1]) <= NEAR_MM
}

function withNozzle({ machines }: MachineModel, nozzle: number): Machine | null {
  return machines.find(({ nozzles }) => Number(nozzles[0]) === nozzle) ?? machines[0] ?? null
}
