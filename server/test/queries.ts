import { PlanningClient } from '../engines/db/statement.ts'
import type { TestApp } from './app.ts'
import { isByTheClock } from './clockwork.ts'

/** What jobs ask that an event sets going, or a minute that has passed: they run when they can, not when the clock says. */
const OF_JOBS = /printer_events|"deliveries"|"setting_id"|"quiet_from"|"timelapses" where "state"/

/** Who calls is believed for some seconds, which may be over at any call. */
const OF_WHO_CALLS = /^(?:select|update) "sessions"/

/** Statements that run while `work` goes on, but for those of the clock, of jobs, and of who calls, whoever does what meanwhile. */
export async function countQueries(app: TestApp, work: () => Promise<void>): Promise<string[]> {
  const seen: string[] = []
  const executor = app.ctx.db.getExecutor()
  const adapter = executor as unknown as { executeQuery: (query: { sql: string }) => Promise<unknown> }
  const before = adapter.executeQuery
  adapter.executeQuery = function (this: unknown, query) {
    const isMeant = !OF_JOBS.test(query.sql) && !OF_WHO_CALLS.test(query.sql)
    if (isMeant && !isByTheClock()) seen.push(query.sql)
    return before.call(this, query)
  }
  try {
    await work()
  } finally {
    adapter.executeQuery = before
  }
  return seen
}

/** Everything that is said to the database while `work` goes on, in transactions and by whomever. */
export async function allStatements(work: () => Promise<void>): Promise<string[]> {
  const seen: string[] = []
  const client = PlanningClient.prototype
  const before = client.query
  client.query = function (...args: unknown[]) {
    seen.push(String(args[0]))
    return before.apply(this, args)
  }
  try {
    await work()
  } finally {
    client.query = before
  }
  return seen
}
