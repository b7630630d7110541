import type { Stats, StatsGroup } from '@vigil/contract/prints/stats.ts'
import type { Period } from './periods.rules.ts'
import type { GroupSums } from './stats.queries.ts'

/** The Stats of the wire. */
export function presentStats(periods: readonly Period[], sums: readonly GroupSums[]): Stats {
  const byGroup = new Map(sums.map((each) => [each.group, each]))
  const groups = (of: (sum: GroupSums) => number): StatsGroup[] =>
    periods.map(({ key }, at) => {
      const found = byGroup.get(at + 1)
      return { key, value: found ? of(found) : 0 }
    })
  const total = (of: (sum: GroupSums) => number) => sums.reduce((sum, each) => sum + of(each), 0)
  const count = total(({ prints }) => prints)
  const time = total((sum) => sum.time)
  return {
    print_count_groups: groups(({ prints }) => prints),
    print_time_groups: groups((sum) => sum.time),
    filament_used_groups: groups(({ filament }) => filament),
    total_print_count: count,
    total_print_time: time,
    total_filament_used: total(({ filament }) => filament),
    total_cancelled_print_count: total(({ cancelled }) => cancelled),
    total_succeeded_print_count: total(({ succeeded }) => succeeded),
    longest_print_time: Math.max(0, ...sums.map(({ longest }) => longest)),
    average_print_time: count === 0 ? 0 : time / count,
  }
}
