import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { everyTick } from './ticks.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

function aServer() {
  const server = new AbortController()
  const errors: unknown[] = []
  const log = { error: ({ err }: { err?: unknown }) => void errors.push(err) }
  return { server, errors, ctx: { clock: { monotonic: () => 42 }, stopping: server.signal, log } }
}

test('comes every so often with the clock of its server, until the server stops', () => {
  const { ctx, server } = aServer()
  const fn = vi.fn()
  everyTick(ctx, 1000, fn)
  expect(fn).not.toHaveBeenCalled()
  vi.advanceTimersByTime(999)
  expect(fn).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(fn.mock.calls).toEqual([[42]])
  server.abort()
  vi.advanceTimersByTime(10_000)
  expect(fn).toHaveBeenCalledTimes(1)
})

test('ends when it is told to, and never begins on a server that has stopped', () => {
  const { ctx, server } = aServer()
  const fn = vi.fn()
  everyTick(ctx, 1000, fn)()
  server.abort()
  everyTick(ctx, 1000, fn)
  vi.advanceTimersByTime(10_000)
  expect(fn).not.toHaveBeenCalled()
})

test('a turn that fails is logged, and the next one comes', async () => {
  const { ctx, errors } = aServer()
  const lost = new Error('lost')
  const fn = vi.fn<() => unknown>(() => undefined)
  fn.mockRejectedValueOnce(lost).mockImplementationOnce(() => {
    throw lost
  })
  everyTick(ctx, 1000, fn)
  for (const times of [1, 2, 3]) {
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(errors).toHaveLength(Math.min(times, 2)))
    expect(fn).toHaveBeenCalledTimes(times)
  }
  expect(errors).toEqual([lost, lost])
})

test('no turn overtakes the one before', async () => {
  const { ctx } = aServer()
  const slow = Promise.withResolvers<void>()
  const fn = vi.fn<() => unknown>(() => undefined)
  fn.mockReturnValueOnce(slow.promise)
  everyTick(ctx, 1000, fn)
  vi.advanceTimersByTime(5000)
  expect(fn).toHaveBeenCalledTimes(1)
  slow.resolve()
  await vi.waitFor(() => {
    vi.advanceTimersByTime(1000)
    expect(fn).toHaveBeenCalledTimes(2)
  })
})
