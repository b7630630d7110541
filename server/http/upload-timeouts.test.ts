import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppError } from './errors.ts'
import { openBody } from './upload-timeouts.ts'

const server = createServer()
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** A request of which half of the body has come, and the sender's side of it. */
async function half() {
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sender.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf')
  const [raw] = (await once(server, 'request')) as [IncomingMessage]
  raw.on('error', () => undefined)
  return { sender, raw }
}
const asked = (raw: IncomingMessage, closing = new AbortController().signal) =>
  ({ raw, server: { closing } }) as unknown as FastifyRequest
const statusOf = (cut: AbortSignal) => (cut.reason as AppError | undefined)?.status

test('what comes is handed on until all has come', async () => {
  const { sender, raw } = await half()
  const { body, cut, release } = openBody(asked(raw), 60_000)
  sender.write('a half')
  expect((await body.toArray()).join('')).toBe('halfa half')
  release()
  expect(cut.aborted).toBe(false)
})

test('a sender who goes meanwhile, or had gone before, cuts it off', async () => {
  const meanwhile = await half()
  const long = openBody(asked(meanwhile.raw), 60_000)
  meanwhile.sender.destroy()
  await once(long.cut, 'abort')
  expect(statusOf(long.cut)).toBe(400)
  long.release()

  const before = await half()
  const closed = new Promise((resolve) => before.raw.once('close', resolve))
  before.sender.destroy()
  await closed
  const { cut, body, release } = openBody(asked(before.raw), 60_000)
  expect([statusOf(cut), body.destroyed]).toEqual([400, true])
  release()
})

test('so do time, and a server that stops or is stopping', async () => {
  const slow = openBody(asked((await half()).raw), 20)
  await once(slow.cut, 'abort')
  expect(statusOf(slow.cut)).toBe(408)
  slow.release()

  const stop = new AbortController()
  const stopped = openBody(asked((await half()).raw, stop.signal), 60_000)
  stop.abort()
  expect(statusOf(stopped.cut)).toBe(503)
  stopped.release()
  const late = openBody(asked((await half()).raw, stop.signal), 60_000)
  expect(statusOf(late.cut)).toBe(503)
  late.release()
})
