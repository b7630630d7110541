import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { createApp } from './app.ts'
import type { UserPrincipal } from './principal.ts'
import { type ServerEvent, stream, type StreamCall } from './stream.ts'
import { asId } from '../test/ids.ts'

const user: UserPrincipal = {
  kind: 'user',
  via: 'session',
  userId: asId(1),
  language: 'en',
  sessionId: asId(1),
}
const TEXT = 'the same words again and again. '.repeat(200)

let app: FastifyInstance
let port: number
let calls: StreamCall<'session'>[]
let source: Source

/** Events that a test lets happen. */
class Source implements AsyncIterable<ServerEvent> {
  readonly #waiting: PromiseWithResolvers<IteratorResult<ServerEvent>>[] = []
  readonly #ready: IteratorResult<ServerEvent>[] = []
  taken = 0
  ended = false

  say(event: ServerEvent): void {
    this.#give({ value: event, done: false })
  }
  end(): void {
    this.#give({ value: undefined, done: true })
  }
  #give(result: IteratorResult<ServerEvent>): void {
    const one = this.#waiting.shift()
    if (one) one.resolve(result)
    else this.#ready.push(result)
  }
  [Symbol.asyncIterator](): AsyncIterator<ServerEvent> {
    return {
      next: () => {
        this.taken++
        const ready = this.#ready.shift()
        if (ready) return Promise.resolve(ready)
        const one = Promise.withResolvers<IteratorResult<ServerEvent>>()
        this.#waiting.push(one)
        return one.promise
      },
      return: async () => {
        this.ended = true
        return { value: undefined, done: true }
      },
    }
  }
}

beforeEach(async () => {
  calls = []
  source = new Source()
  const log = pino({ level: 'silent' })
  const ctx = { config: readConfig({ NODE_ENV: 'test' }), log } as unknown as Ctx
  app = await createApp(ctx, {
    session: async (token) => (token === 'good' ? user : null),
    accessToken: async () => null,
    printerToken: async () => null,
  })
  stream(app, { path: '/test/events', callers: ['session'] }, (call) => {
    calls.push(call)
    return source
  })
  stream(app, { path: '/test/text', callers: ['session'] }, async () => ({
    numBytes: TEXT.length,
    modifiedAt: new Date(0),
    etag: '"1"',
    headers: { 'content-type': 'text/plain' },
    open: async (part) => Readable.from([part ? TEXT.slice(part.start, part.end + 1) : TEXT]),
  }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterEach(() => app.close())

async function listen(headers: Record<string, string> = {}, path = '/test/events') {
  const request = httpRequest({ port, path, headers: { cookie: 'tsd_sessionid=good', ...headers } }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk))
  response.on('error', () => undefined)
  return { request, response, text: () => text }
}

describe('events', () => {
  test('come as they happen, in a form that no proxy gathers and nothing compresses', async () => {
    const { response, text } = await listen({ 'accept-encoding': 'gzip', 'last-event-id': '41' })
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    expect(response.headers['content-encoding']).toBeUndefined()
    expect(calls[0]).toMatchObject({ principal: { userId: 1 }, lastEventId: '41' })
    await vi.waitFor(() => expect(text()).toBe('retry: 2000\n\n'))
    source.say({ name: 'moved', id: '42', data: { text: 'two\nlines' } })
    await vi.waitFor(() => expect(text()).toContain('id: 42\nevent: moved\ndata: {"text":"two\\nlines"}\n\n'))
    source.say({ name: 'a\ndata: forged', data: null })
    source.end()
    await once(response, 'end')
    expect(text()).toMatch(/event: a data: forged\ndata: null\n\n$/)
  })

  test('are for those whom the route names', async () => {
    expect((await listen({ cookie: 'tsd_sessionid=wrong' })).response.statusCode).toBe(403)
    expect(calls).toEqual([])
  })

  test('are not asked for any more when the browser goes', async () => {
    const { request, text } = await listen()
    await vi.waitFor(() => expect(text()).not.toBe(''))
    expect(calls[0]?.signal.aborted).toBe(false)
    request.destroy()
    await vi.waitFor(() => expect([calls[0]?.signal.aborted, source.ended]).toEqual([true, true]))
  })

  test('are not taken faster than the browser reads', async () => {
    const { response } = await listen()
    response.pause()
    for (let i = 0; i < 2_000; i++) source.say({ data: 'x'.repeat(10_000) })
    await vi.waitFor(() => expect(source.taken).toBeGreaterThan(10))
    let before: number
    do {
      before = source.taken
      // Meanwhile others are served.
      await once((await listen({}, '/test/text')).response, 'end')
    } while (source.taken > before)
    expect(source.taken).toBeLessThan(1_500)
    response.destroy()
  })

  test('end when the server stops, which does not wait for them', async () => {
    const { response } = await listen()
    const ended = once(response, 'end')
    await app.close()
    await ended
    expect(source.ended).toBe(true)
  })

  test('are told apart from silence by a beat', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { text, request } = await listen()
      await vi.waitFor(() => {
        vi.advanceTimersByTime(15_000)
        expect(text()).toContain(': beat\n\n')
      })
      source.say({ data: 1 })
      await vi.waitFor(() => expect(text()).toContain('data: 1\n\n'))
      request.destroy()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('content', () => {
  test('comes in parts, as it is', async () => {
    const whole = await listen({ 'accept-encoding': 'gzip' }, '/test/text')
    expect(whole.response.headers).toMatchObject({
      'content-length': `${TEXT.length}`,
      'accept-ranges': 'bytes',
    })
    expect(whole.response.headers['content-encoding']).toBeUndefined()
    const part = await listen({ range: 'bytes=4-7' }, '/test/text')
    await once(part.response, 'end')
    expect([part.response.statusCode, part.text()]).toEqual([206, TEXT.slice(4, 8)])
    expect(part.response.headers['content-range']).toBe(`bytes 4-7/${TEXT.length}`)
  })

  test('is for those whom the route names', async () => {
    expect((await listen({ cookie: '' }, '/test/text')).response.statusCode).toBe(403)
  })
})
