import { z } from 'zod'
import { readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { printFilters } from './prints.ts'
import { timeZone } from '../values.ts'

/** The lengths of time that prints are put together by; a week begins on Sunday. */
export const groupings = ['day', 'week', 'month', 'year'] as const
export type Grouping = (typeof groupings)[number]

/**
 * A group by its first moment: ISO 8601 with the offset that the zone has on `from_date`, whatever the season. Clients
 * show the date as it is written and ignore their own zone.
 */
const group = z.object({ key: z.string(), value: z.number() }).meta({ id: 'StatsGroup' })
export type StatsGroup = z.infer<typeof group>

/** docs/wire/rest.md 4, Stats. Times are seconds, filament is millimetres; a print that runs has neither succeeded nor not. */
export const stats = z
  .object({
    print_count_groups: z.array(group),
    print_time_groups: z.array(group),
    filament_used_groups: z.array(group),
    total_print_count: z.int(),
    total_print_time: z.number(),
    total_filament_used: z.number(),
    total_cancelled_print_count: z.int(),
    total_succeeded_print_count: z.int(),
    longest_print_time: z.number(),
    average_print_time: z.number(),
  })
  .meta({ id: 'Stats' })
export type Stats = z.infer<typeof stats>

export const getStats = endpoint({
  method: 'GET',
  path: '/api/v1/prints/stats/',
  callers: readers,
  summary: 'Sums over the prints of some days, altogether and by day, week, month or year',
  query: z.object({
    ...printFilters,
    timezone: timeZone,
    from_date: z.iso.date(),
    to_date: z.iso.date(),
    group_by: z.string().toLowerCase().pipe(z.enum(groupings)),
  }),
  response: stats,
})
