import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask, hearAnswer } from './passthru.ts'

const CALL = { target: '_printer', func: 'jog', args: [{ x: 1 }] }

interface Sent {
  passthru: { ref: string }
}

function line(isOpen = true) {
  const sent: Sent[] = []
  const send = (message: unknown) => {
    if (isOpen) sent.push(message as Sent)
    return isOpen
  }
  return { sent, send, ref: () => sent[0]!.passthru.ref }
}

describe('asking a printer', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('sends the call with a long ref of its own and gives back the answer', async () => {
    const { sent, send, ref } = line()
    const answer = ask(send, CALL)
    const other = ask(send, CALL)
    expect(sent[0]).toEqual({ passthru: { ...CALL, ref: ref() } })
    expect(ref()).toMatch(/^[0-9a-f]{32}$/)
    expect(sent[1]!.passthru.ref).not.toBe(ref())
    hearAnswer({ passthru: { ref: sent[1]!.passthru.ref } })
    hearAnswer({ passthru: { ref: ref(), ret: { z: 1 } } })
    hearAnswer({ passthru: { ref: ref(), ret: 'late' } })
    await expect(answer).resolves.toEqual({ z: 1 })
    await expect(other).resolves.toBeNull()
  })

  it('refuses at once where no line is open', async () => {
    await expect(ask(line(false).send, CALL)).rejects.toMatchObject({
      code: 'offline',
      message: 'Message not passed through. No suitable WebSocket.',
    })
  })

  it('gives up after a minute', async () => {
    const answer = ask(line().send, CALL).catch((error: unknown) => error)
    vi.advanceTimersByTime(60_000)
    expect(await answer).toMatchObject({
      code: 'timeout',
      message: 'Failed to contact printer. Is it powered on and connected to Internet?',
    })
  })

  it.each([
    [{ error: 'Must home axis first' }, { code: null, message: 'Must home axis first' }],
    [{ error: 'words', code: 'throttled' }, { code: 'throttled' }],
    [
      { error: { message: 'odd' }, code: 'made up' },
      { code: null, message: 'odd' },
    ],
  ])('tells what was refused: %j', async (item, expected) => {
    const { send, ref } = line()
    const answer = ask(send, CALL)
    hearAnswer({ passthru: { ref: ref(), ...item } })
    await expect(answer).rejects.toMatchObject(expected)
  })

  it('leaves alone what is no answer', () => {
    for (const odd of [null, 'x', {}, { passthru: null }, { passthru: { terminal_feed: { msg: 'ok' } } }])
      expect(() => hearAnswer(odd)).not.toThrow()
  })
})
