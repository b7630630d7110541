export type Band = 'good' | 'fishy' | 'failing'

/** Where the gauge's bands end, of 1 (docs/rules/pages.md 1); above the last it is failing. */
export const BAND_ENDS = { good: 0.33, fishy: 0.66 }

/** The label of the gauge at a value of 0 to 1. */
export function band(normalizedP: number): Band {
  if (normalizedP <= BAND_ENDS.good) return 'good'
  return normalizedP <= BAND_ENDS.fishy ? 'fishy' : 'failing'
}
