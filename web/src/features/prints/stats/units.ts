const HOUR = 3600
const DAY_HOURS = 24
const YEAR_HOURS = 8760
const KM = 1_000_000

export type Unit = 'prints' | 'h' | 'd' | 'y' | 'm' | 'km'

/** A unit, and what one of it is in the numbers of the wire. */
export interface Scale {
  readonly unit: Unit
  readonly one: number
}

/** Hours up to a day, days up to a year, then years. `most` is in seconds. */
export function timeScale(most: number): Scale {
  const hours = most / HOUR
  if (hours <= DAY_HOURS) return { unit: 'h', one: HOUR }
  if (hours <= YEAR_HOURS) return { unit: 'd', one: HOUR * DAY_HOURS }
  return { unit: 'y', one: HOUR * YEAR_HOURS }
}

/** Metres, or kilometres where there are many. `most` is in millimetres. */
export const filamentScale = (most: number): Scale =>
  most < KM ? { unit: 'm', one: 1_000 } : { unit: 'km', one: KM }

export const countScale: Scale = { unit: 'prints', one: 1 }

/** `1.25`, `12`: at most two decimals. */
export const written = (value: number, { one }: Scale): string => String(Number((value / one).toFixed(2)))
