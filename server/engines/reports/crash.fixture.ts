/** A process that follows itself, and then fails as no one expects. */
import { readConfig } from '../../config.ts'
import { openReports } from './index.ts'

openReports(readConfig(process.env)).followProcess()
setTimeout(() => {
  const nothing = undefined as unknown as { name: string }
  console.log(nothing.name)
}, 10)
