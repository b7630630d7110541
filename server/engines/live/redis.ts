import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { bytesOf } from './hub.ts'
import { type Lease, type Live, type LiveLog, LiveUnavailable, TURN_MS } from './port.ts'
import { createBus } from './redis-bus.ts'
import { CLAIM, INCREMENT, RELEASE, RENEW, run, TURN } from './redis-scripts.ts'
import { textOf } from '../../lib/thrown.ts'

/** How long the first connection may take: a start without Redis fails with a sentence, it doesn't limp. */
const CONNECT_MS = 10_000
/** A Redis that takes longer for one command counts as away. */
const COMMAND_MS = 3_000
/** An epoch that nobody renewed for so long starts over, above where it was (see CLAIM). */
const EPOCH_MS = 30 * 24 * 3_600_000
const SCAN_COUNT = 1_000

const keyOf = (key: string) => `vigil:k:${key}`
const epochOf = (key: string) => `vigil:e:${key}`
const whole = (ms: number) => Math.max(1, Math.ceil(ms))
const literally = (text: string) => text.replace(/[\\*?[\]]/g, String.raw`\$&`)

/** `live` for several nodes, over one Redis or Valkey. Loads its client only now. */
export async function openRedisLive(url: string, log: LiveLog): Promise<Live> {
  const { Redis: Client } = await import('ioredis')
  const options = {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt: number) => Math.min(100 * 2 ** Math.min(attempt, 5), 2_000),
  }
  const commands = new Client(url, { ...options, commandTimeout: COMMAND_MS, connectionName: 'vigil' })
  const listening = new Client(url, { ...options, connectionName: 'vigil-subscriber' })
  const bus = createBus({ commands, listening, node: randomUUID(), log })
  try {
    await Promise.all([connected(commands), connected(listening)])
  } catch (error) {
    bus.close()
    commands.disconnect()
    listening.disconnect()
    const why = textOf(error)
    const cure = 'Start it, or correct REDIS_URL.'
    throw new LiveUnavailable(`Redis at ${new URL(url).host} is not reachable: ${why}. ${cure}`, {
      cause: error,
    })
  }
  return {
    publish: bus.publish,
    subscribe: bus.subscribe,
    respond: bus.respond,
    request: (topic, message, ms) => orUnavailable(bus.request(topic, message, ms)),
    ...keysOf(commands),
    async close() {
      bus.close()
      await commands.quit().catch(() => undefined)
      commands.disconnect()
      listening.disconnect()
    },
  }
}

/** Waits until it is ready or fails for the last time within the limit; why it fails is in the error. */
async function connected(redis: Redis): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let last: unknown = new Error('no answer')
  const remember = (error: unknown) => {
    last = error
    if (/WRONGPASS|NOAUTH|NOPERM/.test(String(error))) reject(error)
  }
  const timer = setTimeout(() => reject(last), CONNECT_MS)
  redis.on('error', remember).once('ready', resolve)
  redis.connect().catch(remember)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    redis.off('error', remember).off('ready', resolve)
  }
}

async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof LiveUnavailable) throw error
    throw new LiveUnavailable(`Redis is away: ${textOf(error)}`, { cause: error })
  }
}

type Keys = Pick<Live, 'put' | 'get' | 'getMany' | 'list' | 'incr' | 'turn' | 'claim' | 'take'>

function keysOf(redis: Redis): Keys {
  return {
    async put(key, value, ttlMs) {
      if (value === null) await orUnavailable(redis.del(keyOf(key)))
      else await orUnavailable(redis.set(keyOf(key), bytesOf(value), 'PX', whole(ttlMs)))
    },
    get: (key) => orUnavailable(redis.getBuffer(keyOf(key))),
    getMany: async (keys) =>
      keys.length === 0 ? [] : await orUnavailable(redis.mgetBuffer(keys.map(keyOf))),
    take: (key) => orUnavailable(redis.getdelBuffer(keyOf(key))),
    list: (prefix) => orUnavailable(scan(redis, keyOf(prefix))),
    incr: (key, ttlMs, by = 1) =>
      orUnavailable(run(redis, INCREMENT, [keyOf(key)], [whole(ttlMs), by]).then(Number)),
    turn: async (key, everyMs) =>
      (await orUnavailable(run(redis, TURN, [keyOf(key)], [everyMs, TURN_MS]))) === 1,
    claim: (key, owner, ttlMs) => orUnavailable(claim(redis, key, owner, whole(ttlMs))),
  }
}

async function scan(redis: Redis, prefix: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${literally(prefix)}*`, 'COUNT', SCAN_COUNT)
    cursor = next
    const values = keys.length === 0 ? [] : await redis.mgetBuffer(keys)
    for (const [i, key] of keys.entries()) {
      const value = values[i]
      if (value) found.set(key.slice(keyOf('').length), value)
    }
  } while (cursor !== '0')
  return found
}

async function claim(redis: Redis, key: string, owner: string, ttlMs: number): Promise<Lease> {
  const keys = [keyOf(key), epochOf(key)]
  const epoch = Number(await run(redis, CLAIM, keys, [owner, ttlMs, EPOCH_MS]))
  let released = false
  return {
    epoch,
    renew: async () =>
      !released && (await orUnavailable(run(redis, RENEW, keys, [owner, ttlMs, EPOCH_MS, epoch]))) === 1,
    async release() {
      released = true
      await orUnavailable(run(redis, RELEASE, keys, [epoch]))
    },
  }
}
