import { bytesOf, createHub, createResponders } from './hub.ts'
import { type Lease, type Live, type LiveLog, LiveUnavailable, TURN_MS } from './port.ts'

/** How often values that nobody asks for any more are let go. */
const SWEEP_MS = 30_000

interface Entry {
  value: Uint8Array | KeptText | string | number
  expiresAt: number
}

/** Shorter texts are not worth memory of their own. */
const LONG_TEXT = 256
/** More room than a text needs, so that the next one, a little longer, finds room too. */
const SLACK = 1.25

/**
 * A text in memory that the next one of its key is written over. Each printer's status is replaced every second: as
 * strings they would just live long enough for V8 to take them for old ones, which it frees last.
 */
class KeptText {
  #room = Buffer.alloc(0)
  #size = 0
  /** What was handed out since the last write; never written over. */
  #given: Buffer | null = null

  write(text: string): void {
    this.#size = Buffer.byteLength(text)
    const isRoomy = this.#room.length > 4 * this.#size
    if (this.#size > this.#room.length || isRoomy)
      this.#room = Buffer.allocUnsafeSlow(Math.ceil(this.#size * SLACK))
    this.#room.write(text)
    this.#given = null
  }

  read(): Buffer {
    if (this.#given !== null) return this.#given
    const bytes = Buffer.allocUnsafeSlow(this.#size)
    this.#room.copy(bytes, 0, 0, this.#size)
    return (this.#given = bytes)
  }
}

/** Monotonic: a home computer without a clock battery jumps by years when it finds the time. */
const monotonic = () => performance.now()

/** The bytes of a text outside Node's pool, so that keeping some does not keep their neighbours. */
function alone(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** `live` for one node, in this process. Statuses pass here thousands of times a second: nothing is copied. */
export function openMemoryLive(log: LiveLog, now: () => number = monotonic): Live {
  const hub = createHub(log)
  const responders = createResponders(log)
  const waiting = new Set<() => void>()
  const store = createStore(now)
  const sweeping = setInterval(store.sweep, SWEEP_MS).unref()
  let outbox: { topic: string; message: Uint8Array | string }[] = []
  let closed = false
  const check = () => {
    if (closed) throw new LiveUnavailable('live is closed')
  }
  const flush = () => {
    const batch = outbox
    outbox = []
    for (const { topic, message } of batch) hub.deliver(topic, bytesOf(message))
  }

  return {
    publish(topic, message) {
      if (!hub.has(topic)) return
      if (outbox.push({ topic, message }) === 1) queueMicrotask(flush)
    },
    async subscribe(topic, fn) {
      check()
      // A function of its own for each call: the same `fn` may listen twice.
      const listener = (message: Buffer) => fn(message)
      hub.add(topic, listener)
      return () => void hub.remove(topic, listener)
    },
    async request(topic, message, ms) {
      check()
      if (!responders.has(topic)) return null
      return new Promise((resolve) => {
        const finish = (answer: Buffer | null) => {
          clearTimeout(timer)
          waiting.delete(giveUp)
          resolve(answer)
        }
        const giveUp = () => finish(null)
        const timer = setTimeout(giveUp, ms)
        waiting.add(giveUp)
        void responders.answer(topic, bytesOf(message)).then(finish)
      })
    },
    async respond(topic, fn) {
      check()
      const responder = (message: Buffer) => fn(message)
      responders.add(topic, responder)
      return () => responders.remove(topic, responder)
    },
    async put(key, value, ttlMs) {
      check()
      if (value === null) store.remove(key)
      else store.write(key, value, ttlMs)
    },
    async get(key) {
      check()
      return store.read(key)
    },
    async getMany(keys) {
      check()
      return keys.map(store.read)
    },
    async list(prefix) {
      check()
      return store.list(prefix)
    },
    async incr(key, ttlMs, by = 1) {
      check()
      return store.increment(key, ttlMs, by)
    },
    async turn(key, everyMs) {
      check()
      return store.turn(key, everyMs)
    },
    async claim(key, owner, ttlMs) {
      check()
      return store.claim(key, owner, ttlMs)
    },
    async take(key) {
      check()
      const value = store.read(key)
      store.remove(key)
      return value
    },
    async close() {
      closed = true
      clearInterval(sweeping)
      for (const giveUp of waiting) giveUp()
      hub.clear()
      responders.clear()
      store.clear()
    },
  }
}

/** Values with an end, and the epochs of leases, which have none. */
function createStore(now: () => number) {
  const entries = new Map<string, Entry>()
  const epochs = new Map<string, number>()
  const alive = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry === undefined || entry.expiresAt > now()) return entry
    entries.delete(key)
    return undefined
  }
  /** A text becomes bytes once, when it is first asked for; whoever asks again gets the same ones. */
  const asBytes = (entry: Entry): Buffer => {
    if (entry.value instanceof KeptText) return entry.value.read()
    if (typeof entry.value === 'number') return bytesOf(String(entry.value))
    if (typeof entry.value === 'string') entry.value = alone(entry.value)
    return bytesOf(entry.value)
  }
  const write = (key: string, value: Uint8Array | string | number, ttlMs: number) => {
    const expiresAt = now() + Math.max(1, ttlMs)
    if (typeof value !== 'string' || value.length < LONG_TEXT)
      return void entries.set(key, { value, expiresAt })
    const before = entries.get(key)?.value
    const kept = before instanceof KeptText ? before : new KeptText()
    kept.write(value)
    entries.set(key, { value: kept, expiresAt })
  }

  return {
    write,
    read(key: string): Buffer | null {
      const entry = alive(key)
      return entry ? asBytes(entry) : null
    },
    remove: (key: string) => void entries.delete(key),
    list(prefix: string): Map<string, Buffer> {
      const time = now()
      const found = new Map<string, Buffer>()
      for (const [key, entry] of entries) {
        if (key.startsWith(prefix) && entry.expiresAt > time) found.set(key, asBytes(entry))
      }
      return found
    },
    increment(key: string, ttlMs: number, by: number): number {
      const entry = alive(key)
      const before = typeof entry?.value === 'number' ? entry.value : 0
      const value = Math.max(0, before + by)
      if (value === 0) entries.delete(key)
      else if (entry && before > 0) entry.value = value
      else write(key, value, ttlMs)
      return value
    },
    turn(key: string, everyMs: number): boolean {
      const last = alive(key)?.value
      if (typeof last === 'number' && now() - last < everyMs) return false
      write(key, now(), TURN_MS)
      return true
    },
    claim(key: string, owner: string, ttlMs: number): Lease {
      // Begun at the time of day in seconds, so that a restart doesn't fall behind what it gave before.
      const epoch = (epochs.get(key) ?? Math.floor(Date.now() / 1000)) + 1
      epochs.set(key, epoch)
      write(key, owner, ttlMs)
      let released = false
      const isMine = () => !released && epochs.get(key) === epoch
      return {
        epoch,
        async renew() {
          if (isMine()) write(key, owner, ttlMs)
          return isMine()
        },
        async release() {
          if (isMine()) entries.delete(key)
          released = true
        },
      }
    },
    sweep(): void {
      const time = now()
      for (const [key, entry] of entries) if (entry.expiresAt <= time) entries.delete(key)
    },
    clear: () => entries.clear(),
  }
}
