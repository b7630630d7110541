import type { Values } from './bundle.ts'

/** What is set, in the engine's words; what is said of it. */
export interface Set {
  readonly values: Readonly<Record<string, string>>
  readonly used?: string | null
}

/** One of our settings: how it is set in PrusaSlicer, and how its profiles say it (docs/rules/slice.md 6). */
export interface Setting {
  readonly of: 'print' | 'filament'
  /** Null: it cannot have this value. */
  set(value: string): Set | null
  get?(values: Values): string | undefined
}

const plain = (of: Setting['of'], key: string, isValid: (value: string) => boolean): Setting => ({
  of,
  set: (value) => (isValid(value) ? { values: { [key]: value } } : null),
  get: (values) => values.get(key)?.split(',')[0]?.trim(),
})
/** A number between these, as a slicer writes it. */
export const isNumber = (least: number, most: number) => (value: string) =>
  /^\d{1,6}(?:\.\d{1,6})?$/.test(value) && Number(value) >= least && Number(value) <= most
const isWhole = (least: number, most: number) => (value: string) =>
  /^\d{1,6}$/.test(value) && isNumber(least, most)(value)
/** A number of the print's. */
export const number = (key: string, least: number, most: number) => plain('print', key, isNumber(least, most))
/** The same where a profile may leave it to the engine, or say a share of something else: we have no word for that, and say nothing (''). */
export const chosen = (one: Setting, isOurs: (said: string) => boolean): Setting => ({
  ...one,
  get(values) {
    const said = one.get?.(values)
    return said !== undefined && isOurs(said) ? said : ''
  },
})
/** Says how long, wide or high something is itself. */
export const isLength = (said: string) => Number(said) > 0
/** mm/s. */
export const speed = (key: string) => chosen(number(key, 1, 2000), isLength)
/** The same, or a share of another speed. */
export const speedOrShare = (key: string) =>
  chosen(
    plain('print', key, (value) => isNumber(1, 2000)(value.replace(/%$/, ''))),
    (said) => Number.parseFloat(said) > 0,
  )
/** A whole number of the print's. */
export const whole = (key: string, least: number, most: number) => plain('print', key, isWhole(least, most))
/** A switch of the print's. */
export const flag = (key: string) => plain('print', key, (value) => value === '0' || value === '1')
/** Degrees of the filament's. */
export const degrees = (key: string, most: number) => plain('filament', key, isWhole(0, most))
/** A number of the filament's; its printer's own where it says none. */
export const ofFilament = (key: string, least: number, most: number) =>
  chosen(plain('filament', key, isNumber(least, most)), (said) => said !== 'nil')

export type Words = Readonly<Record<string, string | { readonly value: string; readonly isAnother: true }>>
/** The nearest that the engine has. */
export const another = (value: string) => ({ value, isAnother: true }) as const

/** Our words for the engine's. */
export function words(key: string, all: Words): Setting {
  return {
    of: 'print',
    set(value) {
      const found = Object.hasOwn(all, value) ? all[value] : undefined
      if (found === undefined) return null
      return typeof found === 'string'
        ? { values: { [key]: found } }
        : { values: { [key]: found.value }, used: found.value }
    },
    get: (values) => Object.keys(all).find((word) => all[word] === values.get(key)),
  }
}
/** Words that both know. */
export const same = (...all: readonly string[]): Words => Object.fromEntries(all.map((one) => [one, one]))
