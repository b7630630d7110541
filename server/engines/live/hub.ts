import type { LiveLog } from './port.ts'

type Listener = (message: Buffer) => void
type Responder = (message: Buffer) => Promise<Uint8Array | string>

/** Bytes without a copy. */
export function bytesOf(message: Uint8Array | string): Buffer {
  if (typeof message === 'string') return Buffer.from(message)
  if (Buffer.isBuffer(message)) return message
  return Buffer.from(message.buffer, message.byteOffset, message.byteLength)
}

/** Who listens on this node, by topic; one that throws never harms the others. Both adapters deliver through it. */
export interface Hub {
  /** True when this is the topic's first listener here. */
  add(topic: string, fn: Listener): boolean
  /** True when it was the topic's last listener here. */
  remove(topic: string, fn: Listener): boolean
  has(topic: string): boolean
  topics(): string[]
  /** Calls all listeners of the topic, now. */
  deliver(topic: string, message: Buffer): void
  clear(): void
}

/** Makes an empty hub. */
export function createHub(log: LiveLog): Hub {
  const listeners = new Map<string, Set<Listener>>()
  return {
    add(topic, fn) {
      const set = listeners.get(topic)
      if (set) set.add(fn)
      else listeners.set(topic, new Set([fn]))
      return set === undefined
    },
    remove(topic, fn) {
      const set = listeners.get(topic)
      if (!set?.delete(fn) || set.size > 0) return false
      return listeners.delete(topic)
    },
    has: (topic) => listeners.has(topic),
    topics: () => [...listeners.keys()],
    deliver(topic, message) {
      const set = listeners.get(topic)
      if (set === undefined) return
      for (const fn of set) {
        try {
          fn(message)
        } catch (error) {
          log.error({ err: error, topic }, 'a live subscriber failed')
        }
      }
    },
    clear: () => listeners.clear(),
  }
}

/** Who answers on this node, by topic. */
export interface Responders {
  add(topic: string, fn: Responder): void
  remove(topic: string, fn: Responder): void
  has(topic: string): boolean
  /** The first answer; null when all responders fail. */
  answer(topic: string, message: Buffer): Promise<Buffer | null>
  clear(): void
}

/** Makes an empty set of responders. */
export function createResponders(log: LiveLog): Responders {
  const responders = new Map<string, Set<Responder>>()
  return {
    add(topic, fn) {
      const set = responders.get(topic) ?? new Set()
      responders.set(topic, set.add(fn))
    },
    remove(topic, fn) {
      const set = responders.get(topic)
      set?.delete(fn)
      if (set?.size === 0) responders.delete(topic)
    },
    has: (topic) => responders.has(topic),
    async answer(topic, message) {
      const asked = [...(responders.get(topic) ?? [])].map(async (fn) => {
        try {
          return bytesOf(await fn(message))
        } catch (error) {
          log.error({ err: error, topic }, 'a live responder failed')
          throw error
        }
      })
      return Promise.any(asked).catch(() => null)
    },
    clear: () => responders.clear(),
  }
}
