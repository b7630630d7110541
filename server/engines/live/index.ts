import type { Config } from '../../config.ts'
import { openMemoryLive } from './memory.ts'
import type { Live, LiveLog } from './port.ts'

/**
 * Opens `live`: Redis when `REDIS_URL` is set, else this process, whose values age by `monotonic` (milliseconds).
 * Raises `LiveUnavailable` without its Redis.
 */
export async function openLive(
  config: Pick<Config, 'REDIS_URL'>,
  log: LiveLog,
  monotonic?: () => number,
): Promise<Live> {
  if (config.REDIS_URL === undefined) return openMemoryLive(log, monotonic)
  const { openRedisLive } = await import('./redis.ts')
  return openRedisLive(config.REDIS_URL, log)
}
