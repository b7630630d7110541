import type { TestApp } from './app.ts'

/** Statements that run while `work` goes on, but for those of the job that tells of an event. */
export async function countQueries(app: TestApp, work: () => Promise<void>): Promise<string[]> {
  const seen: string[] = []
  const executor = app.ctx.db.getExecutor()
  const adapter = executor as unknown as { executeQuery: (query: { sql: string }) => Promise<unknown> }
  const before = adapter.executeQuery
  adapter.executeQuery = function (this: unknown, query) {
    if (!query.sql.includes('printer_events')) seen.push(query.sql)
    return before.call(this, query)
  }
  try {
    await work()
  } finally {
    adapter.executeQuery = before
  }
  return seen
}
