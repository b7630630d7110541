/**
 * The detector of other nodes, over `live`: a node with ROLE=web has none of its own. Workers say every two seconds
 * that they are there; a picture goes to one of them, and what it saw comes back. At most once: a picture that is
 * lost on the way is followed by the next.
 */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import type { Live } from '../live/port.ts'
import {
  BadPicture,
  type DetectOptions,
  type Detector,
  DetectorUnavailable,
  type Inspection,
  type LayerSight,
  type Outcome,
} from './port.ts'

const NEWS = 'detector:news'
const TELL_MS = 2_000
/** A worker that has said nothing for so long is gone. */
const GONE_MS = 7_000
/** Longer than a worker gives one of its own threads. */
const ANSWER_MS = 30_000

const topicOf = (worker: string) => `detector:${worker}`

/** How a worker stands. */
interface Sign extends ReturnType<Detector['health']> {
  readonly id: string
  readonly model: string
}

interface Question {
  readonly ask: 'submit' | 'detect' | 'detectLayer'
  readonly key: string
  readonly picture: Uint8Array
  readonly options?: DetectOptions | undefined
}

type Answer = { readonly saw: unknown } | { readonly failed: 'picture' | 'detector'; readonly why: string }

/** Lets nodes without a detector use this one, until the returned function is called. */
export async function shareDetector(live: Live, detector: Detector): Promise<() => void> {
  const id = randomUUID()
  const stop = await live.respond(topicOf(id), async (message) =>
    serialize(await answer(detector, deserialize(message) as Question)),
  )
  const tell = () =>
    live.publish(NEWS, JSON.stringify({ ...detector.health(), id, model: detector.model } satisfies Sign))
  const timer = setInterval(tell, TELL_MS).unref()
  tell()
  return () => {
    clearInterval(timer)
    stop()
  }
}

async function answer(detector: Detector, { ask, key, picture, options }: Question): Promise<Answer> {
  try {
    if (ask === 'submit') return { saw: await detector.submit(key, picture, options) }
    if (ask === 'detect') return { saw: await detector.detect(picture, options) }
    return { saw: await detector.detectLayer(picture) }
  } catch (error) {
    if (error instanceof BadPicture) return { failed: 'picture', why: error.message }
    if (error instanceof DetectorUnavailable) return { failed: 'detector', why: error.message }
    throw error
  }
}

/** The workers that say that they are there. */
async function watchWorkers(live: Live) {
  const workers = new Map<string, { sign: Sign; at: number }>()
  const stop = await live.subscribe(NEWS, (message) => {
    const sign = JSON.parse(message.toString()) as Sign
    workers.set(sign.id, { sign, at: performance.now() })
  })
  const present = (): Sign[] => {
    for (const [id, { at }] of workers) if (performance.now() - at > GONE_MS) workers.delete(id)
    return [...workers.values()].map(({ sign }) => sign)
  }
  return { present, stop, forget: (id: string) => void workers.delete(id) }
}

/** Asks a worker. */
function asker(live: Live, workers: Awaited<ReturnType<typeof watchWorkers>>) {
  /** Null once a worker has said nothing for too long: what it was asked it will not answer. */
  const untilGone = async (id: string, signal: AbortSignal): Promise<null> => {
    while (!signal.aborted && workers.present().some((one) => one.id === id))
      await sleep(TELL_MS, undefined, { ref: false, signal }).catch(() => undefined)
    return null
  }

  /** Whoever does not answer is asked nothing more until it says again that it is there, and another is asked in its place. */
  return async (key: string, question: Uint8Array): Promise<Buffer> => {
    const until = performance.now() + ANSWER_MS
    const ready = workers.present().filter(({ state }) => state === 'ready')
    for (const { id } of ready.toSorted((a, b) => rank(b.id, key) - rank(a.id, key))) {
      const left = until - performance.now()
      if (left <= 0) break
      const answered = new AbortController()
      const asked = live.request(topicOf(id), question, left)
      const gone = untilGone(id, answered.signal)
      const said = await Promise.race([asked, gone]).finally(() => answered.abort())
      if (said !== null) return said
      workers.forget(id)
    }
    throw new DetectorUnavailable('no worker is there that answers')
  }
}

/** Opens the detector of a node that has none. While no worker is there it is down, and says so. */
export async function openRemoteDetector(live: Live, kind: Detector['kind']): Promise<Detector> {
  const workers = await watchWorkers(live)
  const { present, stop } = workers
  const askInTurn = asker(live, workers)

  /** A printer's pictures meet in one queue, where the newest wins. */
  const ask = async (
    what: Question['ask'],
    picture: Uint8Array,
    options?: DetectOptions,
    key: string = randomUUID(),
  ) => {
    const said = await askInTurn(key, serialize({ ask: what, key, picture, options } satisfies Question))
    const answered = deserialize(said) as Answer
    if ('saw' in answered) return answered.saw
    throw answered.failed === 'picture' ? new BadPicture(answered.why) : new DetectorUnavailable(answered.why)
  }

  return {
    kind,
    get model() {
      return present()[0]?.model ?? 'none'
    },
    submit: async (key, picture, options) => (await ask('submit', picture, options, key)) as Outcome,
    detect: async (picture, options) => (await ask('detect', picture, options)) as Inspection,
    detectLayer: async (picture) => (await ask('detectLayer', picture)) as LayerSight,
    health() {
      const all = present()
      const queued = all.reduce((sum, one) => sum + one.queued, 0)
      if (all.some(({ state }) => state === 'ready')) return { state: 'ready', queued }
      const error = all[0]?.error ?? 'No node with ROLE=worker or ROLE=all is there to look at pictures'
      return { state: 'down', error, queued }
    },
    close: async () => stop(),
  }
}

/** Each key prefers the workers in an order of its own, which a further worker hardly changes. */
const rank = (worker: string, key: string): number =>
  createHash('sha1').update(`${worker} ${key}`).digest().readUInt32BE(0)
