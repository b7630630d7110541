import type { TestApp } from './app.ts'

/**
 * What the server asks by the clock, whoever does what meanwhile: events to be told, messages that are due, prints that
 * are watched no more, files on their way to a printer, what is next in the queue,
 * whether the database is there, and whom to tell when it is not.
 */
const ON_THE_CLOCK =
  /printer_events|^update "deliveries" set "attempts"|watch_alarms|watch_rounds|"cloud_prints"|"queue_\w+"|^select 1$|"setting_id"|"quiet_from"|"waits_for" in|"s"\."name" = \$1 and "s"\."enabled"/

/** Statements that run while `work` goes on, but for those of the job that tells of an event. */
export async function countQueries(app: TestApp, work: () => Promise<void>): Promise<string[]> {
  const seen: string[] = []
  const executor = app.ctx.db.getExecutor()
  const adapter = executor as unknown as { executeQuery: (query: { sql: string }) => Promise<unknown> }
  const before = adapter.executeQuery
  adapter.executeQuery = function (this: unknown, query) {
    if (!ON_THE_CLOCK.test(query.sql)) seen.push(query.sql)
    return before.call(this, query)
  }
  try {
    await work()
  } finally {
    adapter.executeQuery = before
  }
  return seen
}

/** Those of the statements that ran at least so often: what the server asks by the clock did not. */
export function often(statements: readonly string[], times: number): string[] {
  const ran = Map.groupBy(statements, (sql) => sql)
  return [...ran].filter(([, all]) => all.length >= times).map(([sql]) => sql)
}
