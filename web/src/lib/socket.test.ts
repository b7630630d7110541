/** What a page claims is of now: how soon it takes that back, by its own clock, and how seldom it asks. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** A websocket in place of the browser's, and the server at its other end. */
class Wire extends EventTarget {
  static readonly OPEN = 1
  static all: Wire[] = []
  /** How the server takes what is said; null: it hangs. */
  static onSaid: ((wire: Wire, text: string) => void) | null = null
  static said: string[] = []
  readyState = 0

  constructor() {
    super()
    Wire.all.push(this)
    setTimeout(() => {
      this.readyState = Wire.OPEN
      this.dispatchEvent(new Event('open'))
    }, 20)
  }

  send(text: string) {
    Wire.said.push(text)
    Wire.onSaid?.(this, text)
  }

  close() {
    this.readyState = 3
  }

  tell(message: object) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
}

const root: { dataset: Record<string, string> } = { dataset: {} }
const page = { hidden: false, baseURI: 'http://vigil.example/', documentElement: root }
const isLost = () => root.dataset['line'] === 'lost'
const answerIn = (ms: number) => (wire: Wire) => void setTimeout(() => wire.tell({ pong: 1 }), ms)
let close: () => void

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers()
  Wire.all = []
  Wire.said = []
  Wire.onSaid = answerIn(30)
  page.hidden = false
  const events = new EventTarget()
  const on = { addEventListener: events.addEventListener.bind(events), removeEventListener: () => {} }
  const { setTimeout: set, clearTimeout: clear } = globalThis
  vi.stubGlobal('window', { ...on, setTimeout: set, clearTimeout: clear })
  vi.stubGlobal('document', Object.assign(page, on))
  vi.stubGlobal('location', { origin: 'http://vigil.example' })
  vi.stubGlobal('WebSocket', Wire)
  const { openSocket } = await import('./socket.ts')
  ;({ close } = openSocket('/ws/web/all/', { onMessage: () => {}, background: true }))
  await vi.advanceTimersByTimeAsync(100)
})
afterEach(() => {
  close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Seconds until the page says that the line is lost. */
async function untilLost(): Promise<number> {
  for (let ms = 0; ms < 60_000; ms += 100) {
    if (isLost()) return ms / 1000
    await vi.advanceTimersByTimeAsync(100)
  }
  return Infinity
}

it('a server that hangs is told within 8 s, wherever in the rhythm it stops; it is waited for, and believed when it answers', async () => {
  for (const before of [0, 900, 1_800, 2_700, 3_600]) {
    await vi.advanceTimersByTimeAsync(20_000 + before)
    expect(isLost()).toBe(false)
    Wire.onSaid = null
    expect(await untilLost()).toBeLessThanOrEqual(8)
    Wire.all[0]!.tell({ pong: 1 })
    expect(isLost()).toBe(false)
    Wire.onSaid = answerIn(30)
  }
  expect(Wire.all).toHaveLength(1)
})

it('with nobody there for 20 s it is opened anew, and the line is back with the first word', async () => {
  Wire.onSaid = null
  await vi.advanceTimersByTimeAsync(25_000)
  expect(Wire.all.length).toBeGreaterThan(1)
  expect(isLost()).toBe(true)
  Wire.onSaid = answerIn(30)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(isLost()).toBe(false)
})

it('a new connection that is let wait is told as soon, and goes on waiting', async () => {
  Wire.onSaid = null
  await untilLost()
  await vi.advanceTimersByTimeAsync(15_000)
  Wire.onSaid = answerIn(30)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(isLost()).toBe(false)
})

it('a busy server, whose answers take 3 s, does not make the page flicker', async () => {
  Wire.onSaid = answerIn(3_000)
  for (let second = 0; second < 120; second++) {
    await vi.advanceTimersByTimeAsync(1_000)
    expect(isLost(), `after ${second} s`).toBe(false)
  }
})

it('nothing is said on a line that is closing', async () => {
  const [wire] = Wire.all
  if (!wire) throw new Error('no line was opened')
  // its end has been heard of, and the browser has not said so yet
  wire.readyState = 2
  Wire.said = []
  await vi.advanceTimersByTimeAsync(15_000)
  expect(Wire.said).toEqual([])
})

it('a page that was busy itself hears first what came meanwhile', async () => {
  await vi.advanceTimersByTimeAsync(10_000)
  Wire.onSaid = (wire) => {
    // The page stands still for 6 s with the question on its way; its timers come before the answer.
    setTimeout(() => vi.setSystemTime(Date.now() + 6_000), 10)
    setTimeout(() => wire.tell({ pong: 1 }), 4_100)
    Wire.onSaid = answerIn(30)
  }
  for (let ms = 0; ms < 10_000; ms += 100) {
    await vi.advanceTimersByTimeAsync(100)
    expect(isLost()).toBe(false)
  }
})

it('asks 17 times a minute at most, not at all where statuses come, and three times where nobody sees the page', async () => {
  Wire.said = []
  await vi.advanceTimersByTimeAsync(60_000)
  expect(Wire.said.length).toBeGreaterThan(10)
  expect(Wire.said.length).toBeLessThanOrEqual(17)

  Wire.said = []
  for (let second = 0; second < 60; second++) {
    Wire.all[0]!.tell({ patches: [] })
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(Wire.said).toEqual([])

  page.hidden = true
  await vi.advanceTimersByTimeAsync(10_000)
  Wire.said = []
  await vi.advanceTimersByTimeAsync(60_000)
  expect(Wire.said.length).toBeLessThanOrEqual(3)
})
