import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openMemoryLive } from './memory.ts'
import type { Live } from './port.ts'
import { redisLab } from './redis.fixture.ts'
import { type OpenOptions, Stream, StreamClosed, type StreamOptions } from './stream.ts'

const log = { warn: vi.fn(), error: vi.fn() }
const redis = redisLab(log)

const adapters = [
  { name: 'memory', skip: false, open: async () => [openMemoryLive(log)] },
  // Two nodes: each has one end.
  { name: 'redis', skip: !redis.isThere, open: async () => [await redis.open(), await redis.open()] },
]

const KB = 1024

async function readAll(stream: Stream): Promise<Buffer[]> {
  const frames: Buffer[] = []
  for await (const frame of stream) frames.push(frame)
  return frames
}

for (const { name, skip, open } of adapters) {
  describe.skipIf(skip)(`a stream on ${name}`, () => {
    let nodes: Live[] = []
    let n = 0

    beforeAll(async () => {
      nodes = await open()
    })
    afterAll(async () => {
      await Promise.all(nodes.map((node) => node.close()))
    })

    /** Both ends of a stream. */
    async function pair({ accept = {}, ...options }: OpenOptions & { accept?: StreamOptions } = {}) {
      const [here, there] = [nodes[0]!, nodes.at(-1)!]
      const topic = `stream-test:${name}:${++n}`
      const accepted = Promise.withResolvers<{ stream: Stream; hello: string }>()
      const stop = await Stream.accept(
        there,
        topic,
        (stream, hello) => accepted.resolve({ stream, hello }),
        accept,
      )
      const mine = await Stream.open(here, topic, 'hello', options)
      const { stream: theirs, hello } = await accepted.promise
      stop()
      return { mine: mine!, theirs, hello }
    }

    test('carries frames both ways, in order, whatever is in them and however large', async () => {
      const { mine, theirs, hello } = await pair()
      expect(hello).toBe('hello')
      const large = Buffer.alloc(6_000 * KB, 'large')
      const sent = [Buffer.alloc(0), Buffer.from([0, 255, 10]), large, Buffer.from('last')]
      const read = readAll(theirs)
      for (const frame of sent) await mine.send(frame)
      await theirs.send('answer')
      for await (const frame of mine) {
        expect(frame.toString()).toBe('answer')
        break
      }
      expect((await read).map((frame, i) => frame.equals(sent[i]!))).toEqual([true, true, true, true])
      expect(await theirs.ended).toBe('ended')
    })

    test('keeps the order of frames whose sender did not wait', async () => {
      const { mine, theirs } = await pair({ accept: { windowBytes: 10 } })
      const sending = Array.from({ length: 200 }, (_, i) => mine.send(`frame ${i}`))
      void Promise.all(sending).then(() => mine.end())
      expect((await readAll(theirs)).map(String)).toEqual(Array.from({ length: 200 }, (_, i) => `frame ${i}`))
    })

    test('stops the sender while nobody reads: no more than the window is on its way', async () => {
      const { mine, theirs } = await pair({ accept: { windowBytes: 256 * KB } })
      let left = 0
      const sending = (async () => {
        for (let i = 0; i < 64; i++) {
          await mine.send(Buffer.alloc(64 * KB, i))
          left++
        }
        mine.end()
      })()
      await vi.waitFor(() => expect(left).toBe(4))
      // Whatever else is said meanwhile gives no room: only reading does.
      for (let i = 0; i < 20; i++) {
        await theirs.send('still here')
        expect(left).toBe(4)
      }
      const frames = await readAll(theirs)
      await sending
      expect(frames.map((frame) => frame[0])).toEqual(Array.from({ length: 64 }, (_, i) => i))
    })

    test('lets one frame through that is larger than the window, and then waits', async () => {
      const { mine, theirs } = await pair({ accept: { windowBytes: KB } })
      await mine.send(Buffer.alloc(64 * KB))
      const second = mine.send(Buffer.alloc(64 * KB))
      await expect(Promise.race([second, theirs.send('x').then(() => 'waits')])).resolves.toBe('waits')
      const reader = theirs[Symbol.asyncIterator]()
      expect((await reader.next()).value).toHaveLength(64 * KB)
      await second
      expect((await reader.next()).value).toHaveLength(64 * KB)
      mine.end()
    })

    test('a reader that leaves ends it, and frees the sender who waits', async () => {
      const { mine, theirs } = await pair({ accept: { windowBytes: KB } })
      await mine.send(Buffer.alloc(2 * KB))
      const waiting = mine.send(Buffer.alloc(2 * KB))
      for await (const frame of theirs) {
        expect(frame).toHaveLength(2 * KB)
        break
      }
      await expect(waiting).rejects.toThrow(StreamClosed)
      expect(await mine.ended).toBe('ended')
      await expect(mine.send('more')).rejects.toThrow(StreamClosed)
    })

    test('what was sent before the end is still read', async () => {
      const { mine, theirs } = await pair()
      for (const text of ['a', 'b', 'c']) await mine.send(text)
      mine.end()
      await theirs.ended
      expect((await readAll(theirs)).map(String)).toEqual(['a', 'b', 'c'])
    })

    test('nobody who accepts is no stream', async () => {
      expect(await Stream.open(nodes[0]!, `stream-test:${name}:nobody`, '')).toBeNull()
    })
  })
}

/** A `live` of a node that vanishes: nothing that it says arrives from then on. */
function mortal(live: Live) {
  let isDead = false
  const mine: Live = {
    ...live,
    publish: (topic, message) => {
      if (!isDead) live.publish(topic, message)
    },
  }
  return { live: mine, die: () => void (isDead = true), revive: () => void (isDead = false) }
}

describe('a stream whose other side', () => {
  const node = openMemoryLive(log)
  afterAll(() => node.close())

  async function pair(here: Live, there: Live) {
    const accepted = Promise.withResolvers<Stream>()
    const stop = await Stream.accept(there, 'mortal', accepted.resolve, { windowBytes: KB })
    const mine = await Stream.open(here, 'mortal', '', { beatMs: 100 })
    const theirs = await accepted.promise
    stop()
    return { mine: mine!, theirs }
  }

  test('vanishes as it reads is lost to the sender, who is freed', async () => {
    const reader = mortal(node)
    const { mine } = await pair(node, reader.live)
    await mine.send(Buffer.alloc(2 * KB))
    reader.die()
    await expect(mine.send('more')).rejects.toThrow('lost')
    expect(await mine.ended).toBe('lost')
  })

  test('vanishes as it sends is lost to the reader, who knows that it has not heard all', async () => {
    const sender = mortal(node)
    const { mine, theirs } = await pair(sender.live, node)
    await mine.send('first')
    sender.die()
    const heard: string[] = []
    const reading = (async () => {
      for await (const frame of theirs) heard.push(String(frame))
    })()
    await expect(reading).rejects.toThrow('lost')
    expect(heard).toEqual(['first'])
  })

  test('does not hear a frame ends it for both, whoever is the first to notice', async () => {
    const sender = mortal(node)
    const { mine, theirs } = await pair(sender.live, node)
    sender.die()
    await mine.send('lost on its way')
    sender.revive()
    await expect(readAll(theirs)).rejects.toThrow('lost')
    expect(await theirs.ended).toBe('lost')
    expect(await mine.ended).toBe('lost')
  })
})

describe.skipIf(!redis.isThere)('a stream over a Redis that dies', () => {
  test('is lost on both sides', async () => {
    const [here, there] = [await redis.open(), await redis.open()]
    const accepted = Promise.withResolvers<Stream>()
    await Stream.accept(there, 'dying', accepted.resolve)
    const mine = (await Stream.open(here, 'dying', '', { beatMs: 100 }))!
    const theirs = await accepted.promise
    await redis.stop('SIGKILL')
    expect(await Promise.all([mine.ended, theirs.ended])).toEqual(['lost', 'lost'])
    await Promise.all([here.close(), there.close()])
  })
})
