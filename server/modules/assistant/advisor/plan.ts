import type { Preset } from '@vigil/contract/assistant/presets.ts'
import type { Language } from '../../../http/texts.ts'
import type { Order, Plan } from './carry-out.ts'
import { limitsOf } from './limits.ts'
import type { Wish } from './wishes.ts'
import { numberOf, type Situation } from './situation.ts'
import { type Rule, ruleOf, settingOf, sourceOf } from './table.ts'

/** Two wishes that do not go together, by what people call them. */
export interface Conflict {
  readonly one: string
  readonly other: string
}

const asked = { en: 'As you asked.', zh: '按您的要求。' }
const goesAlong = { en: 'So that the first layer goes along.', zh: '首层与之保持一致。' }
const needed = { en: 'Without it that has no effect.', zh: '否则该设置不起作用。' }

/** A number for the nozzle or the bed is meant for the first layer, too, unless that is named. */
const WITH_FIRST = new Map([
  ['nozzle_temperature', 'nozzle_temperature_initial_layer'],
  ['hot_plate_temp', 'hot_plate_temp_initial_layer'],
])

/** What wishes come to. Raises nothing: what goes against each other is in `conflicts`, and then nothing is to be done. */
export function planOf(
  situation: Situation,
  wishes: readonly Wish[],
  language: Language,
): { plan: Plan; conflicts: readonly Conflict[]; rules: readonly Rule[] } {
  const rules = [...new Set(wishes.flatMap((wish) => (wish.kind === 'rule' ? [wish.id] : [])))].flatMap(
    (id) => ruleOf(id) ?? [],
  )
  const isNamed = (wish: Wish) =>
    wish.kind === 'step' && wishes.some((other) => other.kind === 'set' && other.key === wish.key)
  const own = wishes.flatMap((wish) =>
    wish.kind === 'rule' || isNamed(wish) ? [] : ordersOf(wish, wishes, language),
  )
  const conflicts = [
    ...between(rules, language),
    ...inside(own, language),
    ...withRules(own, rules, language),
  ]
  const explicit = new Set(own.map(({ key }) => key))
  const orders: Order[] = rules.flatMap((rule) =>
    rule.set
      .filter(({ do: { key } }) => !explicit.has(key))
      .map((one) => ({ ...one.do, reason: one[language], source: sourceOf(rule), isExplicit: false })),
  )
  return {
    plan: { preset: presetOf(situation, rules, language), orders: [...orders, ...own] },
    conflicts,
    rules,
  }
}

function between(rules: readonly Rule[], language: Language): Conflict[] {
  return rules.flatMap((one, i) =>
    rules
      .slice(i + 1)
      .filter((other) => one.against.includes(other.id) || other.against.includes(one.id))
      .map((other) => ({ one: one.name[language], other: other.name[language] })),
  )
}

/** Two values for one setting. */
function inside(orders: readonly Order[], language: Language): Conflict[] {
  return orders.flatMap((one, i) => {
    const other = orders
      .slice(i + 1)
      .find(({ key, op, value }) => key === one.key && op === '=' && one.op === '=' && value !== one.value)
    const name = settingOf(one.key)?.name[language] ?? one.key
    return other ? [{ one: `${name} ${one.value}`, other: `${name} ${other.value}` }] : []
  })
}

/** A wish that switches off what a rule is about: `no supports` beside tree supports. */
function withRules(orders: readonly Order[], rules: readonly Rule[], language: Language): Conflict[] {
  return orders.flatMap((order) => {
    const { type, name } = settingOf(order.key) ?? {}
    const rule = rules.find(
      (one) =>
        (type === 'flag' || one.whole) &&
        one.set.some(({ do: { key, value } }) => key === order.key && value !== order.value),
    )
    const other = `${name?.[language] ?? order.key} ${type === 'flag' ? '' : order.value}`.trim()
    return rule ? [{ one: rule.name[language], other }] : []
  })
}

function ordersOf(wish: Exclude<Wish, { kind: 'rule' }>, all: readonly Wish[], language: Language): Order[] {
  const setting = settingOf(wish.key)
  const order = (key: string, op: Order['op'], value: string, reason = asked[language]): Order => ({
    key,
    op,
    value,
    reason,
    source: null,
    isExplicit: wish.kind === 'set' && op !== '*',
  })
  if (wish.kind === 'step') {
    const step = String(setting?.step ?? 1)
    return [order(wish.key, wish.sign > 0 ? '+' : '-', step)]
  }
  const first = WITH_FIRST.get(wish.key)
  const isNamed = all.some((other) => other.kind !== 'rule' && other.key === first)
  const orders = [order(wish.key, wish.op, wish.value)]
  if (first !== undefined && !isNamed && wish.op !== '*')
    orders.push(order(first, wish.op, wish.value, goesAlong[language]))
  return [...orders, ...companions(wish.key, orders, all, language)]
}

/** What a setting has no effect without. */
function companions(
  key: string,
  orders: readonly Order[],
  all: readonly Wish[],
  language: Language,
): Order[] {
  const has = (other: string) => all.some((wish) => wish.kind !== 'rule' && wish.key === other)
  const extra = { op: '=', reason: needed[language], source: null, isExplicit: false } as const
  const isOn = orders.some(({ value, op }) => op !== '=' || (value !== '0' && value !== 'no_brim'))
  if (key.startsWith('support_') && isOn && !has('enable_support'))
    return [{ ...extra, key: 'enable_support', value: '1' }]
  if (key === 'brim_width' && isOn && !has('brim_type'))
    return [{ ...extra, key: 'brim_type', value: 'outer_only' }]
  return []
}

const reasons = {
  coarsest: { en: 'It has the thickest layers: the fewest to print.', zh: '层最厚，打印层数最少。' },
  finest: { en: 'It has the thinnest layers.', zh: '层最薄。' },
  standard: { en: 'It is the one for everyday prints.', zh: '适合日常打印。' },
}
/** Thinner layers take for ever and look no better. */
const FINEST = 0.08
const EVERYDAY = 0.2

/** The preset that the rules begin with, among those that the nozzle can lay; null: the one that is selected. */
function presetOf(situation: Situation, rules: readonly Rule[], language: Language): Plan['preset'] {
  const rule = rules.find(({ preset }) => preset !== undefined)
  if (rule?.preset === undefined) return null
  const most = limitsOf(situation, 'layer_height')?.most ?? Infinity
  const all = situation.prints.flatMap((preset) => {
    const height = numberOf(preset, 'layer_height')
    return height !== null &&
      height > 0 &&
      height <= Math.max(most, numberOf(situation.print, 'layer_height') ?? 0)
      ? [{ preset, height }]
      : []
  })
  const to = chosen(all, rule.preset, situation.print)
  return to && { to, reason: reasons[rule.preset][language], source: sourceOf(rule) }
}

function chosen(
  all: readonly { preset: Preset; height: number }[],
  by: NonNullable<Rule['preset']>,
  selected: Preset | null,
): Preset | null {
  if (by === 'standard') {
    const own = numberOf(selected, 'layer_height')
    if (own !== null && Math.abs(own - EVERYDAY) <= 0.04) return selected
  }
  const fine = all.filter(({ height }) => height >= FINEST)
  const from = by === 'finest' && fine.length > 0 ? fine : all
  const measure = ({ height }: { height: number }) =>
    by === 'coarsest' ? -height : by === 'finest' ? height : Math.abs(height - EVERYDAY)
  const least = Math.min(...from.map(measure))
  const best = from.filter((one) => measure(one) - least < 1e-9)
  // Of several as good, the one that is selected.
  return (best.find(({ preset }) => preset.name === selected?.name) ?? best[0])?.preset ?? null
}
