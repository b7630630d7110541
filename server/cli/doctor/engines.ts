import type { Config } from '../../config.ts'
import { openFiles } from '../../engines/files/index.ts'
import { CONTAINERS } from '../../engines/files/port.ts'
import { openLive } from '../../engines/live/index.ts'
import { type Finding, fine } from './finding.ts'

const SILENT = { warn: () => undefined, error: () => undefined }

/** Where pictures, videos and G-code are kept takes a file and gives it back, in each container. */
export async function checkFiles(config: Config): Promise<Finding> {
  const files = await openFiles(config)
  try {
    for (const container of CONTAINERS) {
      const ref = { container, path: `doctor/${process.pid}` }
      await files.put(ref, Buffer.from('doctor'))
      await files.remove(ref)
    }
  } finally {
    await files.close()
  }
  const where = config.S3_URL === undefined ? 'files/ of the data folder' : new URL(config.S3_URL).host
  return fine(`Files can be kept in ${where}.`)
}

/** Redis, where there is one, takes a value and gives it back. */
export async function checkLive(config: Config): Promise<Finding> {
  if (config.REDIS_URL === undefined) return fine('In the server itself (REDIS_URL is not set).')
  const live = await openLive(config, SILENT)
  try {
    await live.put(`doctor:${process.pid}`, 'doctor', 10_000)
    await live.take(`doctor:${process.pid}`)
  } finally {
    await live.close()
  }
  return fine(`Redis answers at ${new URL(config.REDIS_URL).host}.`)
}
