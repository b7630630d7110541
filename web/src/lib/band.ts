export type Band = 'good' | 'fishy' | 'failing'

/** Labels of the gauge: 0 to 33, 34 to 66, above (docs/rules/pages.md 1). */
export function band(normalizedP: number): Band {
  const percent = normalizedP * 100
  if (percent <= 33) return 'good'
  return percent <= 66 ? 'fishy' : 'failing'
}
