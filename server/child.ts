/** The process that serves: started, fed with connections and stopped by the keeper (keeper.ts). */
import { readConfig } from './config.ts'
import { openReports } from './engines/reports/index.ts'
import { answerKeeper } from './keeper/answer.ts'
import { tidySoon } from './lib/tidy.ts'
import { startServer } from './main.ts'

const config = readConfig(process.env)
const reports = openReports(config)
reports.followProcess()
answerKeeper({
  graceMs: config.SHUTDOWN_GRACE_SECONDS * 1000,
  start: async (databaseUrl, signal) => {
    const server = await startServer({ config, databaseUrl, signal, reports })
    tidySoon()
    return server
  },
})
