/** How many sets stay: the newest of each of so many days, weeks and months. */
export interface KeepRule {
  readonly days: number
  readonly weeks: number
  readonly months: number
}

const DAY_MS = 86_400_000

/**
 * Those of these sets that go. A set is named by its time (`2026-11-21T03-40`); the newest of each of the last `days` days
 * that have one stays, so with weeks (from Monday) and months. The newest of all always does.
 */
export function setsToRemove(names: readonly string[], rule: KeepRule): string[] {
  const newestFirst = [...names].toSorted().toReversed()
  const kept = new Set(newestFirst.slice(0, 1))
  for (const [count, partOf] of [
    [rule.days, dayOf],
    [rule.weeks, weekOf],
    [rule.months, monthOf],
  ] as const) {
    const parts = new Set<string>()
    for (const name of newestFirst) {
      const part = partOf(name)
      if (parts.has(part)) continue
      if (parts.size >= count) break
      parts.add(part)
      kept.add(name)
    }
  }
  return newestFirst.filter((name) => !kept.has(name)).toReversed()
}

const dayOf = (name: string) => name.slice(0, 10)
const monthOf = (name: string) => name.slice(0, 7)

/** The Monday of its week. */
function weekOf(name: string): string {
  const day = Date.parse(`${dayOf(name)}T00:00:00Z`)
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return new Date(day - sinceMonday * DAY_MS).toISOString().slice(0, 10)
}
