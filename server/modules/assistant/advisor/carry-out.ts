import type { ChosenProfiles, Preset } from '@vigil/contract/assistant/presets.ts'
import { once } from '../../../lib/once.ts'
import { checkSetting, type Checked, type Limited, limitsOf } from './limits.ts'
import { numberIn, otherOf, type Situation, valueOf, wordOf } from './situation.ts'
import { type Effect, settingOf, table } from './table.ts'

/** One setting that somebody proposes: a person, the table, or a model. */
export interface Order extends Effect {
  readonly reason: string
  readonly source: string | null
  /** Somebody has named this very value: they get it or are asked, never another. */
  readonly isExplicit: boolean
}

/** What is proposed: another process preset, and settings. */
export interface Plan {
  readonly preset: { readonly to: Preset; readonly reason: string; readonly source: string | null } | null
  readonly orders: readonly Order[]
  /** What stood before comes back: nothing beside it changes. */
  readonly isBack?: boolean
}

/** One setting as it was and will be. */
export interface Change {
  readonly key: string
  readonly before: string | null
  readonly after: string
  /** Null: nobody asked for it, but what else changes leaves no more. */
  readonly reason: string | null
  readonly source: string | null
  readonly limited: Limited | null
}

export interface CarriedOut {
  /** How things stand then. */
  readonly state: Situation
  readonly changes: readonly Change[]
  /** Overrides that went with the preset that they stood over. */
  readonly dropped: readonly {
    readonly key: string
    readonly before: string
    readonly after: string | null
  }[]
  /** What somebody has asked for by name and can't have. */
  readonly refused: readonly { readonly key: string; readonly value: string; readonly limited: Limited }[]
  /** As it was already. */
  readonly same: readonly string[]
  /** What nobody may change, or no value. */
  readonly unknown: readonly string[]
}

/** Another process preset takes along what stood over the one before. */
const under = (print: Preset, situation: Situation): Situation => ({
  ...situation,
  print,
  printOverrides: new Map(),
  others: { ...situation.others, print: {} },
})

/** What a plan comes to: every setting is checked against the limits before it is one. Nothing is applied that is not in `changes`. */
export function carryOut(situation: Situation, { preset, orders, isBack = false }: Plan): CarriedOut {
  const isOther = preset !== null && preset.to.name !== situation.print?.name
  const from = isOther ? under(preset.to, situation) : situation
  let state = from
  const changes = new Map<string, Change>()
  const refused: CarriedOut['refused'][number][] = []
  const same = new Set<string>()
  const unknown = new Set<string>()
  // How fast it may be hangs on how thick it is laid: that comes first.
  const isSpeed = ({ key }: Order) => settingOf(key)?.type === 'speed'
  for (const order of orders.toSorted((a, b) => Number(isSpeed(a)) - Number(isSpeed(b)))) {
    const { key } = order
    const current = valueOf(state, key)
    const target = targetOf(order, current)
    if (target === null) continue
    const checked = checkSetting(state, key, target)
    if (checked === null) {
      unknown.add(key)
      continue
    }
    if (order.isExplicit && checked.limited !== null) {
      refused.push({ key, value: target, limited: checked.limited })
      continue
    }
    if (isSame(checked, current)) {
      if (!changes.has(key)) same.add(key)
      continue
    }
    state = withValue(state, key, checked.value)
    changes.set(key, {
      key,
      before: valueOf(situation, key),
      after: checked.value,
      reason: order.reason,
      source: order.source,
      limited: checked.limited,
    })
  }
  for (const change of isBack ? [] : slowed(from, state, changes)) {
    state = withValue(state, change.key, change.after)
    changes.set(change.key, change)
  }
  const dropped = isOther ? goneWith(situation, state).filter(({ key }) => !changes.has(key)) : []
  return { state, changes: [...changes.values()], dropped, refused, same: [...same], unknown: [...unknown] }
}

const THICKER = ['layer_height', 'initial_layer_print_height', 'line_width']

/** Speeds that stand, and at which a thicker line would want more plastic than melts. */
function slowed(from: Situation, to: Situation, changes: ReadonlyMap<string, Change>): Change[] {
  if (!THICKER.some((key) => changes.has(key))) return []
  return speeds().flatMap((key) => {
    const now = valueOf(to, key)
    const [limits, before] = [limitsOf(to, key), limitsOf(from, key)]
    if (changes.has(key) || now === null || limits?.by !== 'flow' || before === null) return []
    const checked = limits.most < before.most ? checkSetting(to, key, now) : null
    if (!checked?.limited) return []
    return [{ key, before: now, after: checked.value, reason: null, source: null, limited: checked.limited }]
  })
}
const speeds = once(() =>
  Object.entries(table().settings).flatMap(([key, { type }]) => (type === 'speed' ? [key] : [])),
)

/** What stood over a preset and does not stand over the one that took its place, in our table or not. */
function goneWith(from: Situation, to: Situation): CarriedOut['dropped'] {
  const own = [...from.printOverrides].map(([key, before]) => ({ key, before, after: valueOf(to, key) }))
  const others = Object.entries(from.others.print).flatMap(([key, value]) => {
    const before = wordOf(value)
    return before === null ? [] : [{ key, before, after: otherOf(to, 'print', key) }]
  })
  return [...own, ...others].filter(({ before, after }) => after !== before)
}

/** What a setting is to be; null where that hangs on what nobody knows. */
function targetOf({ key, op, value }: Order, current: string | null): string | null {
  if (op === '=') return value
  const [now, by] = [numberIn(current), numberIn(value)]
  if (by === null) return null
  const isShare = current?.endsWith('%') === true && settingOf(key)?.type !== 'percent'
  if (isShare) return null
  if (now === null) return op === '>=' || op === '<=' ? value : null
  switch (op) {
    case '+':
      return String(now + by)
    case '-':
      return String(now - by)
    case '*':
      return String(now * by)
    case '>=':
      return String(Math.max(now, by))
    case '<=':
      return String(Math.min(now, by))
  }
}

function isSame({ value }: Checked, current: string | null): boolean {
  const [a, b] = [numberIn(value), numberIn(current)]
  return a !== null && b !== null ? Math.abs(a - b) < 1e-9 : value === current
}

function withValue(situation: Situation, key: string, value: string): Situation {
  if (settingOf(key)?.of === 'filament')
    return { ...situation, filamentOverrides: new Map(situation.filamentOverrides).set(key, value) }
  return { ...situation, printOverrides: new Map(situation.printOverrides).set(key, value) }
}

/** As the page takes it: values of filaments are lists of one. */
export function profilesOf({ print, filamentOverrides, printOverrides, others }: Situation): ChosenProfiles {
  return {
    use_print_process_preset: print?.name ?? '',
    filament_overrides: {
      ...others.filament,
      ...Object.fromEntries([...filamentOverrides].map(([key, value]) => [key, [value]])),
    },
    print_process_overrides: { ...others.print, ...Object.fromEntries(printOverrides) },
  }
}
