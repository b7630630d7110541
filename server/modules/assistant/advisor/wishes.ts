import type { Mark } from './marks.ts'
import { ruleOf, type Setting, settingOf } from './table.ts'
import type { Token, Unit } from './tokens.rules.ts'

/** What somebody wants changed. */
export type Wish =
  | { readonly kind: 'rule'; readonly id: string }
  /** `=` to this value, `+` by so much, `*` so many times. */
  | { readonly kind: 'set'; readonly key: string; readonly op: '=' | '+' | '*'; readonly value: string }
  /** A little more or less. */
  | { readonly kind: 'step'; readonly key: string; readonly sign: 1 | -1 }

/** Why somebody has to be asked. */
export type Doubt =
  | { readonly kind: 'unknown'; readonly text: string }
  | { readonly kind: 'which'; readonly key: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'byOrTo'; readonly key: string; readonly value: number }
  | { readonly kind: 'whether'; readonly id: string }
  | { readonly kind: 'should'; readonly key: string | null }

/** A part of a sentence as it is said back. */
export const textOf = (clause: readonly Mark[]) => {
  const words = clause.map(({ text }) => text).join(' ')
  return words.replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '').slice(0, 120)
}

/** `don't use supports`: what a rule would switch on is off. */
export const withoutIt = (id: string): Wish[] =>
  (ruleOf(id)?.set ?? []).flatMap(({ do: { key, value } }) =>
    settingOf(key)?.type === 'flag' && value === '1'
      ? [{ kind: 'set' as const, key, op: '=' as const, value: '0' }]
      : [],
  )

export type NumberMark = Extract<Mark, { kind: 'number' }>
type SettingMark = Extract<Mark, { kind: 'setting' }>

function goesWith({ type, unit: own }: Setting, unit: Unit | undefined): boolean {
  if (unit === undefined) return type !== 'flag'
  if (unit === 'percent') return type === 'percent' || type === 'fan' || type === 'speed' || type === 'number'
  if (unit === 'degrees') return type === 'degrees' || type === 'int'
  if (unit === 'speed') return own === 'mm/s'
  return type === 'number' || type === 'speed' || type === 'choice'
}

export function nearest(
  clause: readonly Mark[],
  mark: SettingMark,
  { numbers, isBefore }: { numbers: readonly NumberMark[]; isBefore: boolean },
): NumberMark | undefined {
  const setting = settingOf(mark.key)
  if (setting === undefined) return undefined
  const others = clause.flatMap((one) => (one.kind === 'setting' && one !== mark ? [one] : []))
  const gap = (number: NumberMark, to: Mark) =>
    number.to <= to.from ? to.from - number.to : number.from - to.to
  const rank = (number: NumberMark) => gap(number, mark) + (number.to <= mark.from === isBefore ? 0 : 0.5)
  return numbers
    .filter(({ token }) => goesWith(setting, token.unit))
    .filter((number) =>
      others.every((other) => gap(number, other) + 0.5 >= gap(number, mark) || !fitsKey(other.key, number)),
    )
    .toSorted((a, b) => rank(a) - rank(b))[0]
}

const fitsKey = (key: string, { token }: NumberMark) => {
  const setting = settingOf(key)
  return setting !== undefined && goesWith(setting, token.unit)
}

/** What is to become of a setting that somebody names. */
export function wishOf(
  clause: readonly Mark[],
  { key }: SettingMark,
  number: NumberMark | undefined,
): { wish?: Wish[]; doubt?: Doubt } {
  const setting = settingOf(key)
  const has = (kind: Mark['kind']) => clause.some((mark) => mark.kind === kind)
  if (setting === undefined) return {}
  const set = (value: number | string, op: '=' | '+' | '*' = '='): { wish: Wish[] } => ({
    wish: [{ kind: 'set', key, op, value: String(value) }],
  })
  if (setting.type === 'flag') return set(has('off') || has('down') ? '0' : '1')
  if (setting.type === 'choice') return choiceOf(key, { isOff: has('off'), number })
  if (has('off') && number === undefined) return set(0)
  if (has('double')) return set(2, '*')
  if (has('half')) return set(0.5, '*')
  const sign = has('up') ? 1 : has('down') ? -1 : 0
  if (number === undefined) {
    // `A 0.4 mm nozzle` is no temperature.
    if (setting.type === 'degrees' && clause.some((mark) => mark.kind === 'number'))
      return { doubt: { kind: 'number', text: textOf(clause) } }
    if (sign === 0) return { doubt: { kind: 'which', key } }
    return { wish: [{ kind: 'step', key, sign }] }
  }
  const value = number.token.number ?? 0
  if (number.token.unit === 'percent' && (setting.type === 'speed' || setting.type === 'number'))
    return sign === 0 ? set(value / 100, '*') : set(1 + (sign * value) / 100, '*')
  if (sign === 0 || has('to')) return set(value)
  const isAmount = has('by') || isBeside(clause, number) || setting.type === 'int'
  if (isAmount) return set(sign * value, '+')
  return { doubt: { kind: 'byOrTo', key, value: sign * value } }
}

const SPEEDS = ['outer_wall_speed', 'inner_wall_speed', 'sparse_infill_speed']

/** `Increase the speed by 20%` is about all that print. A number alone may be for any of them: it is asked. */
export function speedsOf(clause: readonly Mark[], used: Set<Mark>): Wish[] {
  if (clause.some((mark) => mark.kind === 'setting')) return []
  const sign = clause.some(({ kind }) => kind === 'up')
    ? 1
    : clause.some(({ kind }) => kind === 'down')
      ? -1
      : 0
  const number = clause.find((mark) => mark.kind === 'number')
  if (sign === 0 || (number?.kind === 'number' && number.token.unit !== 'percent')) return []
  if (number) used.add(number)
  const share = number?.kind === 'number' ? (number.token.number ?? 0) : 20
  return SPEEDS.map((key) => ({ kind: 'set', key, op: '*', value: String(1 + (sign * share) / 100) }))
}

/** `5 more`, `another 5`, `+5` */
const isBeside = (clause: readonly Mark[], number: NumberMark) => {
  const at = clause.indexOf(number)
  const [before, after] = [clause[at - 1], clause[at + 1]]
  const says = (mark: Mark | undefined) => mark?.kind === 'up' || mark?.kind === 'down'
  return (
    (says(after) && after?.text !== '+') ||
    (says(before) &&
      /^(?:another|extra|\+|-|more|minus|加|减|增加|减少|提高|降低|调高|调低|再加|升高)$/.test(
        before?.text.replaceAll(' ', '').slice(0, 12) ?? '',
      ))
  )
}

function choiceOf(
  key: string,
  { isOff, number }: { isOff: boolean; number: NumberMark | undefined },
): { wish?: Wish[]; doubt?: Doubt } {
  const set = (value: string, of = key): Wish => ({ kind: 'set', key: of, op: '=', value })
  if (key === 'brim_type') {
    if (isOff) return { wish: [set('no_brim')] }
    const width = number?.token.number
    return { wish: [set('outer_only'), set(String(width ?? 5), 'brim_width')] }
  }
  if (key === 'fuzzy_skin') return { wish: [set(isOff ? 'none' : 'external')] }
  return { doubt: { kind: 'which', key } }
}

/** `215 degrees` can only be the nozzle, `60 degrees` only the bed; what else a number may be is asked. */
export function byUnit({ number = 0, unit }: Token, clause: readonly Mark[]): Wish | null {
  if (unit !== 'degrees' || clause.some(({ kind }) => kind === 'by')) return null
  const sign = clause.some(({ kind }) => kind === 'up')
    ? 1
    : clause.some(({ kind }) => kind === 'down')
      ? -1
      : 0
  if (number >= 150) return { kind: 'set', key: 'nozzle_temperature', op: '=', value: String(number) }
  if (sign === 0 && number >= 30 && number <= 130)
    return { kind: 'set', key: 'hot_plate_temp', op: '=', value: String(number) }
  return null
}
