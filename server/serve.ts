/** What the child of the keeper runs (child.ts). */
import { readConfig } from './config.ts'
import { openReports } from './engines/reports/index.ts'
import type { Program } from './supervisor/answer.ts'
import { tidySoon, tidyWhenQuiet } from './lib/tidy.ts'
import { startServer } from './main.ts'

const config = readConfig(process.env)
const reports = openReports(config)
reports.followProcess()

export const program: Program = {
  graceMs: config.SHUTDOWN_GRACE_SECONDS * 1000,
  start: async (databaseUrl, signal) => {
    const server = await startServer({ config, databaseUrl, signal, reports })
    tidySoon()
    tidyWhenQuiet()
    return server
  },
}
