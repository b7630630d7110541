import { useSyncExternalStore } from 'react'
import { readStored, subscribeStored, writeStored } from '../../../lib/stored.ts'

const KEY = 'slicer-price-per-kg'
const MOST = 100_000
/** Where the slicer says no weight: PLA of the usual thickness. */
const GRAMS_PER_MM = 1.24e-3 * Math.PI * 0.875 ** 2

/** What a kilogram of filament costs, in whatever money, as somebody has typed it; null: nobody has. */
export function usePrice(): readonly [number | null, (price: number | null) => void] {
  const said = Number(useSyncExternalStore(subscribeStored, () => readStored(KEY)) ?? Number.NaN)
  const isPrice = Number.isFinite(said) && said > 0 && said <= MOST
  return [isPrice ? said : null, (price) => writeStored(KEY, price === null ? null : String(price))]
}

/** What a print weighs, in grams, as far as is known. */
export function weightOf(grams: number | null, millimetres: number | null): number | null {
  if (grams !== null && grams > 0) return grams
  return millimetres === null ? null : millimetres * GRAMS_PER_MM
}
