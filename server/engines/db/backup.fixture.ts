/** Makes a backup and stops for ever just before it gets its name, to be killed there (backup.test.ts). */
import { writeBackup } from './backup.ts'

const [, , url = '', file = ''] = process.argv
let looks = 0
const freeBytes = async (): Promise<number> => {
  if (++looks < 2) return Number.MAX_SAFE_INTEGER
  console.log('half')
  return new Promise((resolve) => setTimeout(resolve, 600_000, 0))
}
await writeBackup({ url, file, version: 'test', freeBytes })
