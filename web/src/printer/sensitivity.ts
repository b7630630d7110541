/** Below 0.95 low, above 1.05 high (docs/rules/pages.md 2). */
export function sensitivityLevel(value: number): 'low' | 'medium' | 'high' {
  if (value < 0.95) return 'low'
  return value > 1.05 ? 'high' : 'medium'
}
