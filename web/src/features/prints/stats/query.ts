import { dayOf } from '../../../lib/periods.ts'
import { groupingOf } from './grouping.ts'

/** What the server is asked with; more than the contract knows is handed on as it stands. */
export type StatsQuery = Record<string, unknown> &
  Record<'timezone' | 'from_date' | 'to_date' | 'group_by', string>

const OF_THE_FRAME = new Set(['hide_header', 'hide_navbar'])

/** What of an address is about the frame of the page and not about the prints. */
export const frameIn = (search: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(search)].filter(([name]) => OF_THE_FRAME.has(name)))

/** What stands in the address goes before the filters; lists have brackets or a name that comes twice. */
export function overridesIn(search: string): Record<string, string | string[]> {
  const given = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(given.keys())]
      .filter((name) => !OF_THE_FRAME.has(name))
      .map((name) => {
        const values = given
          .getAll(name)
          .flatMap((value) => (name.startsWith('filter_by_') ? value.split(',') : [value]))
        return [
          name.replace('[]', ''),
          values.length > 1 || name.startsWith('filter_by_') ? values : (values[0] ?? ''),
        ]
      }),
  )
}

/** What the filters ask for (`asked`), without days all since the account began, up to today; the address goes before them. */
export function statsQueryOf(
  asked: object,
  choice: string,
  overrides: Record<string, string | string[]>,
  { now, joined }: { now: Date; joined: Date },
): StatsQuery {
  const query: StatsQuery = {
    timezone: 'UTC',
    from_date: dayOf(joined),
    to_date: dayOf(now),
    ...asked,
    with_deleted: 'true',
    group_by: choice,
    ...overrides,
  }
  return { ...query, group_by: groupingOf(query.group_by, query.from_date, query.to_date) }
}
