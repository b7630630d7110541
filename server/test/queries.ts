import { PlanningClient } from '../engines/db/statement.ts'
import type { TestApp } from './app.ts'
import { isByItself } from './clockwork.ts'

/** Who calls is believed for some seconds, which may be over at any call. */
const OF_WHO_CALLS = /^(?:select|update) "sessions"/

/** Statements that run while `work` goes on, but for what the server does by itself, and of who calls. */
export async function countQueries(app: TestApp, work: () => Promise<void>): Promise<string[]> {
  const seen: string[] = []
  const executor = app.ctx.db.getExecutor()
  const adapter = executor as unknown as { executeQuery: (query: { sql: string }) => Promise<unknown> }
  const before = adapter.executeQuery
  adapter.executeQuery = function (this: unknown, query) {
    if (!isByItself() && !OF_WHO_CALLS.test(query.sql)) seen.push(query.sql)
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
