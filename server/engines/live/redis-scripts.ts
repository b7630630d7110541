import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

/** A step that Redis does as one. */
interface Script {
  readonly text: string
  readonly sha: string
}

const script = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') })

/** KEYS counter; ARGV ttl, step. The end is set with the first increment; a counter at zero is gone. */
export const INCREMENT = script(`
local value = redis.call('INCRBY', KEYS[1], ARGV[2])
if value <= 0 then
  redis.call('DEL', KEYS[1])
  return 0
end
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return value`)

/** KEYS last turn; ARGV least time between two, ttl. 1 when it is time; a clock that was set back holds nobody up. */
export const TURN = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local passed = now - tonumber(redis.call('GET', KEYS[1]) or '0')
if passed >= 0 and passed < tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', now), 'PX', ARGV[2])
return 1`)

/**
 * KEYS lease, epoch; ARGV owner, ttl, epoch's ttl. An epoch that was forgotten begins again at the time of day in
 * seconds, which no count of sockets outruns: it never falls.
 */
export const CLAIM = script(`
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('SET', KEYS[2], redis.call('TIME')[1]) end
local epoch = redis.call('INCR', KEYS[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return epoch`)

/**
 * KEYS lease, epoch; ARGV owner, ttl, epoch's ttl, own epoch. 1 while nobody came after us. After Redis lost its
 * memory the newest holder that renews has it again.
 */
export const RENEW = script(`
local epoch = tonumber(redis.call('GET', KEYS[2]) or '0')
if epoch > tonumber(ARGV[4]) then return 0 end
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[3])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`)

/** KEYS lease, epoch; ARGV own epoch. The epoch stays. */
export const RELEASE = script(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`)

/** Runs a script by its hash; Redis gets its text only when it doesn't know it. */
export async function run(redis: Redis, { text, sha }: Script, keys: string[], args: (string | number)[]) {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return redis.eval(text, keys.length, ...keys, ...args)
  }
}
