import type { Redis } from 'ioredis'
import { bytesOf, createHub, createResponders } from './hub.ts'
import { type Live, type LiveLog, LiveUnavailable } from './port.ts'
import { textOf } from '../../lib/thrown.ts'

/** What may be on its way to Redis at once; a Redis that can't follow costs messages, not memory. */
const MAX_IN_FLIGHT_BYTES = 64 * 1024 * 1024
const MAX_IN_FLIGHT = 50_000
const LOG_EVERY_MS = 60_000

const TOPIC = 'vigil:t:'
const QUESTION = 'vigil:q:'
const ANSWERS = 'vigil:a:'

/** Pub/sub of one node: everything it hears comes over one connection, its answers on a topic of its own. */
export type Bus = Pick<Live, 'publish' | 'subscribe' | 'respond' | 'request'> & { close(): void }

/** What the bus runs on. */
export interface BusOptions {
  readonly commands: Redis
  readonly listening: Redis
  /** Name of this node, for its answers. */
  readonly node: string
  readonly log: LiveLog
}

/** Says `message` at most once a minute, with how often it happened. */
function createComplaint(log: LiveLog, message: string) {
  let count = 0
  let next = 0
  return (error: unknown) => {
    count++
    if (performance.now() < next) return
    next = performance.now() + LOG_EVERY_MS
    log.warn({ reason: textOf(error), count }, message)
    count = 0
  }
}

/** Publishes, or drops when Redis is away or behind. */
function createSender(redis: Redis, dropped: (error: unknown) => void) {
  let bytes = 0
  let messages = 0
  return (channel: string, message: Buffer) => {
    if (redis.status !== 'ready') return dropped(new LiveUnavailable('not connected'))
    if (messages >= MAX_IN_FLIGHT || bytes >= MAX_IN_FLIGHT_BYTES)
      return dropped(new LiveUnavailable('too slow'))
    const { length } = message
    messages++
    bytes += length
    const settled = () => {
      messages--
      bytes -= length
    }
    redis.publish(channel, message).then(settled, (error: unknown) => {
      settled()
      dropped(error)
    })
  }
}

/** Puts pub/sub on two connections, which may come and go. */
export function createBus({ commands, listening, node, log }: BusOptions): Bus {
  const hub = createHub(log)
  const responders = createResponders(log)
  const dropped = createComplaint(log, 'Redis is away: live messages are dropped')
  const away = createComplaint(log, 'Redis is away')
  const send = createSender(commands, dropped)
  const questions = createQuestions()
  const asked = new Map<string, Promise<() => void>>()
  let closed = false
  const check = () => {
    if (closed) throw new LiveUnavailable('live is closed')
  }

  // Without a connection there is nothing to say: once it is there, all topics are subscribed to.
  const tell = async (what: 'subscribe' | 'unsubscribe', channels: string[]) => {
    if (listening.status === 'ready') await listening[what](...channels).catch(dropped)
  }
  const listen = async (channel: string, fn: (message: Buffer) => void) => {
    hub.add(channel, fn)
    await tell('subscribe', [channel])
    return () => {
      if (hub.remove(channel, fn)) void tell('unsubscribe', [channel])
    }
  }
  const answer = async (topic: string, message: Buffer) => {
    const { head, body } = unframe(message)
    const reply = await responders.answer(topic, body)
    send(`${ANSWERS}${head[0]}`, frame(`${head[1]} ${reply ? 'ok' : 'failed'}`, reply))
  }
  hub.add(ANSWERS + node, questions.settle)
  listening.on('ready', () => void tell('subscribe', hub.topics()))
  listening.on('messageBuffer', (channel: Buffer, message: Buffer) =>
    hub.deliver(channel.toString(), message),
  )
  listening.on('error', away)
  commands.on('error', away)

  return {
    publish: (topic, message) => send(TOPIC + topic, bytesOf(message)),
    async subscribe(topic, fn) {
      check()
      return listen(TOPIC + topic, (message) => fn(message))
    },
    async respond(topic, fn) {
      check()
      const responder = (message: Buffer) => fn(message)
      responders.add(topic, responder)
      const listener = asked.get(topic) ?? listen(QUESTION + topic, (message) => void answer(topic, message))
      asked.set(topic, listener)
      await listener
      return () => {
        responders.remove(topic, responder)
        if (responders.has(topic) || asked.get(topic) !== listener) return
        asked.delete(topic)
        void listener.then((stop) => stop())
      }
    },
    async request(topic, message, ms) {
      check()
      if (commands.status !== 'ready') throw new LiveUnavailable('Redis is away')
      const question = questions.ask(ms)
      commands
        .publish(QUESTION + topic, frame(`${node} ${question.id}`, bytesOf(message)))
        .then(question.heardBy, () => question.heardBy(0))
      return question.answer
    },
    close() {
      closed = true
      questions.close()
      hub.clear()
      responders.clear()
    },
  }
}

/** A head line and bytes, as one message. */
function frame(head: string, body: Buffer | null): Buffer {
  const line = Buffer.from(`${head}\n`, 'latin1')
  return body === null ? line : Buffer.concat([line, body])
}

/** The words of the head line and the bytes after it. */
function unframe(message: Buffer): { head: string[]; body: Buffer } {
  const end = message.indexOf(10)
  return { head: message.toString('latin1', 0, end).split(' '), body: message.subarray(end + 1) }
}

interface Waiting {
  finish(answer: Buffer | null): void
  failures: number
  nodes: number
}

/** Questions of this node that wait for an answer. */
interface Questions {
  ask(ms: number): { id: number; answer: Promise<Buffer | null>; heardBy: (nodes: number) => void }
  /** Takes a message of the answers' topic. */
  settle(message: Buffer): void
  close(): void
}

/**
 * Keeps the questions: the first answer wins; when every node that heard it has failed, or none has heard it,
 * null at once; else null in the end.
 */
function createQuestions(): Questions {
  const waiting = new Map<number, Waiting>()
  let last = 0
  const giveUpWhenAllFailed = (question: Waiting) => {
    if (question.failures >= question.nodes) question.finish(null)
  }
  return {
    ask(ms) {
      const id = ++last
      const { promise, resolve } = Promise.withResolvers<Buffer | null>()
      const question: Waiting = {
        failures: 0,
        nodes: Number.POSITIVE_INFINITY,
        finish(answer) {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(answer)
        },
      }
      const timer = setTimeout(question.finish, ms, null)
      waiting.set(id, question)
      const heardBy = (nodes: number) => {
        question.nodes = nodes
        giveUpWhenAllFailed(question)
      }
      return { id, answer: promise, heardBy }
    },
    settle(message) {
      const { head, body } = unframe(message)
      const question = waiting.get(Number(head[0]))
      if (question === undefined) return
      if (head[1] === 'ok') return question.finish(body)
      question.failures++
      giveUpWhenAllFailed(question)
    },
    close() {
      for (const question of waiting.values()) question.finish(null)
    },
  }
}
