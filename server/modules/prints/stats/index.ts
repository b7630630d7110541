import { getStats } from '@vigil/contract/prints/stats.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { invalid } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { filterOf, scopeOf } from '../prints/index.ts'
import { periodsOf } from './periods.rules.ts'
import { presentStats } from './stats.present.ts'
import { sumPrints } from './stats.queries.ts'

/** More than ten years of days. */
const MOST_GROUPS = 4_000

/** Sums over prints (docs/wire/rest.md 4). */
export function registerStats(app: FastifyInstance, ctx: Ctx): void {
  route(app, getStats, async ({ principal, query }) => {
    const { from_date: from, to_date: to, timezone: timeZone, group_by: grouping } = query
    const periods = periodsOf({ from, to, timeZone }, grouping, MOST_GROUPS)
    if (periods === null)
      throw invalid({
        group_by: `More than ${MOST_GROUPS} groups: ask for fewer days or longer groups.`,
      })
    const since = periods.map((period) => period.since)
    const scope = scopeOf({ principal }, 'see', query)
    const sums = since.length === 0 ? [] : await sumPrints(ctx.db, scope, filterOf(query), since)
    return presentStats(periods, sums)
  })
}
