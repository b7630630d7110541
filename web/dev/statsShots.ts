import type { Stats, StatsGroup } from '@vigil/contract/stats.ts'
import type { Page } from 'playwright-core'
import type { World } from './stub.ts'

const HOUR = 3600

function groups(count: number, of: (at: number) => number): StatsGroup[] {
  return Array.from({ length: count }, (_, at) => ({
    key: `${new Date(Date.UTC(2026, 9, 24 + at)).toISOString().slice(0, 10)}T00:00:00+02:00`,
    value: of(at),
  }))
}

const wave = (at: number) => Math.max(0, Math.round(4 * Math.sin(at * 1.7) + (at % 5)))

const SOME: Stats = {
  print_count_groups: groups(30, wave),
  print_time_groups: groups(30, (at) => wave(at) * 2.3 * HOUR),
  filament_used_groups: groups(30, (at) => wave(at) * 11_730),
  total_print_count: 71,
  total_succeeded_print_count: 58,
  total_cancelled_print_count: 12,
  total_print_time: 163 * HOUR,
  longest_print_time: 21.4 * HOUR,
  average_print_time: 2.3 * HOUR,
  total_filament_used: 832_830,
}

const NOTHING: Stats = {
  print_count_groups: groups(7, () => 0),
  print_time_groups: groups(7, () => 0),
  filament_used_groups: groups(7, () => 0),
  total_print_count: 0,
  total_succeeded_print_count: 0,
  total_cancelled_print_count: 0,
  total_print_time: 0,
  longest_print_time: 0,
  average_print_time: 0,
  total_filament_used: 0,
}

/** Answers the call of the page of statistics, or null. */
export function answerStats(world: World, path: string): { status: number; body: unknown } | null {
  if (path !== '/api/v1/prints/stats/') return null
  if (world.broken) return { status: 400, body: { group_by: ['Unknown.'] } }
  return { status: 200, body: world.uneventful ? NOTHING : SOME }
}

const DAYS = 'from_date=2026-10-24&to_date=2026-11-22'

export const statsShots = [
  { name: 'stats', path: `stats/?${DAYS}` },
  {
    name: 'stats-empty',
    path: 'stats/?from_date=2026-10-24&to_date=2026-10-30',
    world: { uneventful: true },
  },
  {
    name: 'stats-failed',
    path: 'stats/',
    world: { broken: 400 },
    act: async (page: Page) => {
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'stats-bare', path: `stats/?hide_header=true&${DAYS}` },
]
