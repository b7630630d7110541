import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openMemoryLive } from './memory.ts'
import { type Live, LiveUnavailable } from './port.ts'
import { redisLab } from './redis.fixture.ts'
import { openRedisLive } from './redis.ts'

const log = { warn: vi.fn(), error: vi.fn() }

const redis = redisLab(log)

/** Collects what a topic says. */
async function hear(live: Live, topic: string) {
  const heard: string[] = []
  const stop = await live.subscribe(topic, (message) => heard.push(message.toString()))
  return { heard, stop }
}

const adapters = [
  { name: 'memory', skip: false, open: async () => [openMemoryLive(log)] },
  // Two nodes: what one says, the other hears.
  { name: 'redis', skip: !redis.isThere, open: async () => [await redis.open(), await redis.open()] },
]

for (const { name, skip, open } of adapters) {
  describe.skipIf(skip)(`live on ${name}`, () => {
    let nodes: Live[] = []
    let here: Live
    let there: Live
    let n = 0
    const unique = (word: string) => `${word}:${name}:${++n}`

    beforeAll(async () => {
      nodes = await open()
      here = nodes[0]!
      there = nodes.at(-1)!
    })
    afterAll(async () => {
      await Promise.all(nodes.map((node) => node.close()))
    })

    test('tells all subscribers of a topic, in order, and nobody else', async () => {
      const topic = unique('topic')
      const [one, two, other] = [
        await hear(here, topic),
        await hear(there, topic),
        await hear(there, `${topic}0`),
      ]
      for (let i = 0; i < 50; i++) here.publish(topic, String(i))
      await vi.waitFor(() => expect(two.heard).toHaveLength(50))
      await vi.waitFor(() => expect(one.heard).toHaveLength(50))
      expect(two.heard).toEqual(Array.from({ length: 50 }, (_, i) => String(i)))
      expect(other.heard).toEqual([])
    })

    test('says nothing before publish returns', async () => {
      const topic = unique('topic')
      const { heard } = await hear(here, topic)
      here.publish(topic, 'a')
      expect(heard).toEqual([])
      await vi.waitFor(() => expect(heard).toEqual(['a']))
    })

    test('carries any bytes', async () => {
      const topic = unique('topic')
      const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i * 7)
      const { promise, resolve } = Promise.withResolvers<Buffer>()
      await there.subscribe(topic, resolve)
      here.publish(topic, bytes.subarray(1))
      expect((await promise).equals(bytes.subarray(1))).toBe(true)
    })

    test('a subscriber that throws harms nobody, one that left hears nothing more', async () => {
      const topic = unique('topic')
      await there.subscribe(topic, () => {
        throw new Error('mine')
      })
      const [leaving, staying] = [await hear(there, topic), await hear(there, topic)]
      here.publish(topic, '1')
      await vi.waitFor(() => expect(staying.heard).toEqual(['1']))
      leaving.stop()
      leaving.stop()
      here.publish(topic, '2')
      await vi.waitFor(() => expect(staying.heard).toEqual(['1', '2']))
      expect(leaving.heard).toEqual(['1'])
      expect(log.error).toHaveBeenCalled()
    })

    test('the same function may listen twice, and a topic may be left and joined again', async () => {
      const topic = unique('topic')
      const heard: string[] = []
      const fn = (message: Buffer) => void heard.push(message.toString())
      const [stop, stopToo] = [await there.subscribe(topic, fn), await there.subscribe(topic, fn)]
      here.publish(topic, 'a')
      await vi.waitFor(() => expect(heard).toEqual(['a', 'a']))
      stop()
      stopToo()
      await there.subscribe(topic, fn)
      here.publish(topic, 'b')
      await vi.waitFor(() => expect(heard).toEqual(['a', 'a', 'b']))
    })

    test('asks whoever answers', async () => {
      const topic = unique('question')
      const stop = await there.respond(topic, async (message) => `${message.toString()}!`)
      const answers = await Promise.all(['a', 'b', 'c'].map((text) => here.request(topic, text, 2_000)))
      expect(answers.map(String)).toEqual(['a!', 'b!', 'c!'])
      const { heard } = await hear(there, topic)
      await here.request(topic, 'x', 2_000)
      expect(heard, 'a question is no message of the topic').toEqual([])
      stop()
      await vi.waitFor(async () => expect(await here.request(topic, 'a', 2_000)).toBeNull())
    })

    test('nobody there: null at once; somebody slow: null in time', async () => {
      const topic = unique('question')
      const before = performance.now()
      expect(await here.request(topic, 'a', 5_000)).toBeNull()
      expect(performance.now() - before).toBeLessThan(2_000)
      await there.respond(topic, () => sleep(10_000, '', { ref: false }))
      expect(await here.request(topic, 'a', 100)).toBeNull()
    })

    test('a failing responder has not answered', async () => {
      const topic = unique('question')
      const before = performance.now()
      const stop = await there.respond(topic, () => Promise.reject(new Error('mine')))
      expect(await here.request(topic, 'a', 5_000)).toBeNull()
      expect(performance.now() - before).toBeLessThan(2_000)
      await there.respond(topic, async () => 'me')
      expect(String(await here.request(topic, 'a', 5_000))).toBe('me')
      stop()
      expect(String(await here.request(topic, 'a', 5_000))).toBe('me')
    })

    test('keeps values for their time', async () => {
      const key = unique('key')
      const bytes = Buffer.from([0, 255, 10, 13])
      expect(await there.get(key)).toBeNull()
      await here.put(key, bytes, 60_000)
      expect(await there.get(key)).toEqual(bytes)
      await here.put(key, 'text ä', 150)
      expect(String(await there.get(key))).toBe('text ä')
      await vi.waitFor(async () => expect(await there.get(key)).toBeNull())
      await here.put(key, 'x', 60_000)
      await here.put(key, null, 60_000)
      expect(await there.get(key)).toBeNull()
    })

    test('a long text may be replaced again and again; what was given before stays what it was', async () => {
      const key = unique('status')
      const texts = ['é'.repeat(400), 'b'.repeat(5_000), 'ç'.repeat(300), 'd', 'e'.repeat(400)]
      const given: Buffer[] = []
      for (const text of texts) {
        await here.put(key, text, 60_000)
        given.push((await here.get(key))!)
        expect(String(await here.get(key))).toBe(text)
      }
      expect(given.map(String)).toEqual(texts)
    })

    test('gives several values at once, in the order of their keys', async () => {
      const [one, two, none] = [unique('key'), unique('key'), unique('key')]
      await here.put(one, 'ä', 60_000)
      await here.put(two, Buffer.from([0, 255]), 60_000)
      const found = await there.getMany([two, none, one, two])
      expect(found).toEqual([Buffer.from([0, 255]), null, Buffer.from('ä'), Buffer.from([0, 255])])
      expect(await there.getMany([])).toEqual([])
    })

    test('lists by prefix, taken literally', async () => {
      const prefix = unique('list[*]?')
      await here.put(`${prefix}:a`, '1', 60_000)
      await here.put(`${prefix}:b`, '2', 60_000)
      await here.put(`${prefix}:gone`, '3', 1)
      await here.put(unique('listx'), '4', 60_000)
      await vi.waitFor(async () => {
        const found = [...(await there.list(prefix))].map(([key, value]) => [key, String(value)])
        expect(found.toSorted()).toEqual([
          [`${prefix}:a`, '1'],
          [`${prefix}:b`, '2'],
        ])
      })
    })

    test('counts, and forgets the count after its time', async () => {
      const key = unique('count')
      expect(await here.incr(key, 200)).toBe(1)
      expect(await there.incr(key, 60_000)).toBe(2)
      expect(String(await here.get(key))).toBe('2')
      // Sooner than the second time that was asked for.
      await vi.waitFor(async () => expect(await there.get(key)).toBeNull(), { timeout: 30_000 })
      expect(await there.incr(key, 200)).toBe(1)
      const counts = await Promise.all(
        Array.from({ length: 20 }, () => here.incr(unique('n').slice(0, 4), 60_000)),
      )
      expect(Math.max(...counts)).toBe(20)
    })

    test('a turn is given to one node at a time, as seldom as it is asked for, and may be forgotten', async () => {
      const key = unique('turn')
      const given = await Promise.all(
        Array.from({ length: 10 }, (_, i) => (i % 2 ? here : there).turn(key, 60_000)),
      )
      expect(given.filter(Boolean)).toHaveLength(1)
      // Who asks for it more often has it sooner.
      await vi.waitFor(async () => expect(await there.turn(key, 20)).toBe(true))
      expect(await here.turn(key, 60_000)).toBe(false)
      await here.put(key, null, 0)
      expect(await there.turn(key, 60_000)).toBe(true)
    })

    test('counts by any step, back too, but never below zero', async () => {
      const key = unique('count')
      expect(await here.incr(key, 60_000, 5)).toBe(5)
      expect(await there.incr(key, 60_000, -2)).toBe(3)
      expect(await here.incr(key, 60_000, -9)).toBe(0)
      expect(await there.incr(key, 200)).toBe(1)
      expect(await there.incr(key, 60_000, 3)).toBe(4)
      await vi.waitFor(async () => expect(await here.get(key)).toBeNull(), { timeout: 30_000 })
      expect(await here.incr(key, 200, -1)).toBe(0)
      expect(await here.incr(key, 200)).toBe(1)
    })

    test('a message is taken once', async () => {
      const key = unique('mail')
      await here.put(key, 'secret', 60_000)
      const takers = await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? here : there).take(key)))
      expect(takers.filter(Boolean).map(String)).toEqual(['secret'])
      expect(await here.take(key)).toBeNull()
    })

    test('the newest claim holds the lease; a stale holder learns it', async () => {
      const key = unique('socket')
      const first = await here.claim(key, 'one', 60_000)
      expect(await first.renew()).toBe(true)
      expect(String(await there.get(key))).toBe('one')
      const second = await there.claim(key, 'two', 60_000)
      expect(second.epoch).toBe(first.epoch + 1)
      expect(await first.renew()).toBe(false)
      await first.release()
      expect(String(await here.get(key))).toBe('two')
      expect(await second.renew()).toBe(true)
      await second.release()
      expect(await second.renew()).toBe(false)
      expect(await here.get(key)).toBeNull()
      expect((await here.claim(key, 'three', 60_000)).epoch).toBe(second.epoch + 1)
    })

    test('a lease that ran out may be renewed until somebody else takes it; the epoch never falls', async () => {
      const key = unique('socket')
      const first = await here.claim(key, 'one', 500)
      const hasRunOut = () => vi.waitFor(async () => expect(await there.get(key)).toBeNull())
      await hasRunOut()
      expect(await first.renew()).toBe(true)
      expect(String(await there.get(key))).toBe('one')
      await hasRunOut()
      expect((await there.claim(key, 'two', 500)).epoch).toBe(first.epoch + 1)
      expect(await first.renew()).toBe(false)
      expect(first.epoch).toBeGreaterThan(1_600_000_000)
    })

    test('after close nothing answers and nothing hangs', async () => {
      const [node] = await open()
      const { heard } = await hear(node!, unique('topic'))
      const asked = Promise.withResolvers<void>()
      await node!.respond('silent', () => {
        asked.resolve()
        return new Promise(() => undefined)
      })
      const question = node!.request('silent', '', 60_000)
      await asked.promise
      await node!.close()
      expect(await question).toBeNull()
      node!.publish('topic', 'x')
      await expect(node!.put('key', 'x', 1)).rejects.toBeInstanceOf(LiveUnavailable)
      await expect(node!.subscribe('topic', () => undefined)).rejects.toBeInstanceOf(LiveUnavailable)
      expect(heard).toEqual([])
    })
  })
}

test('memory lets go of values nobody asks for', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let time = 0
  const live = openMemoryLive(log, () => time)
  await live.put('key', 'value', 1_000)
  time = 2_000
  vi.advanceTimersByTime(31_000)
  time = 0
  expect(await live.get('key')).toBeNull()
  await live.close()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe.skipIf(!redis.isThere)('when Redis goes away', () => {
  test('messages are dropped, keys refuse clearly, and it comes back by itself', async () => {
    const [here, there] = [await redis.open(), await redis.open()]
    const { heard } = await hear(there, 'news')
    await there.respond('who', async () => 'me')
    const lease = await here.claim('socket', 'one', 60_000)
    log.warn.mockClear()
    await redis.stop('SIGKILL')
    // A node has two connections, and each hears for itself that the other end has gone.
    for (const node of [here, there])
      await vi.waitFor(async () => {
        await expect(node.get('key')).rejects.toThrow('Redis is away')
        await expect(node.request('who', '', 1_000)).rejects.toBeInstanceOf(LiveUnavailable)
      })
    for (let i = 0; i < 1_000; i++) here.publish('news', 'lost')
    await expect(here.put('key', 'x', 1_000)).rejects.toBeInstanceOf(LiveUnavailable)
    await expect(here.get('key')).rejects.toThrow('Redis is away')
    await expect(here.request('who', '', 1_000)).rejects.toBeInstanceOf(LiveUnavailable)
    await expect(lease.renew()).rejects.toBeInstanceOf(LiveUnavailable)
    const late = await hear(there, 'later')
    const drops = log.warn.mock.calls.filter(([, text]) => /dropped/.test(String(text)))
    expect(drops).toHaveLength(1)
    await redis.start()
    await vi.waitFor(() => here.put('key', 'x', 1_000))
    await vi.waitFor(
      () => {
        here.publish('news', 'back')
        here.publish('later', 'too')
        expect(heard).toContain('back')
        expect(late.heard).toContain('too')
      },
      { timeout: 8_000 },
    )
    expect(heard).not.toContain('lost')
    expect(String(await here.request('who', '', 1_000))).toBe('me')
    expect(await lease.renew(), 'a Redis without memory takes the holder at its word').toBe(true)
    expect((await there.claim('socket', 'two', 60_000)).epoch).toBeGreaterThan(lease.epoch)
    expect(await lease.renew()).toBe(false)
    await Promise.all([here.close(), there.close()])
  })

  test('a Redis that hangs is away too', async () => {
    const live = await redis.open()
    redis.signal('SIGSTOP')
    try {
      const before = performance.now()
      await expect(live.get('key')).rejects.toBeInstanceOf(LiveUnavailable)
      expect(performance.now() - before).toBeLessThan(4_500)
    } finally {
      redis.signal('SIGCONT')
    }
    await vi.waitFor(() => live.put('key', 'x', 1_000))
    await live.close()
  })

  test('a wrong password stops the start with a sentence', async () => {
    const opening = openRedisLive(redis.url('nobody:wrong@'), log)
    await expect(opening).rejects.toThrow(/Redis at 127\.0\.0\.1:\d+ is not reachable: WRONGPASS/)
  })
})
