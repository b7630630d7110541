import type { WebSocket } from 'ws'
import {
  type Envelope,
  envelope,
  type EnvelopeAnswer,
  FLUSH_WITHIN_MS,
  type HolderState,
  refusalOf,
} from '../commands/index.ts'
import { textOf, type Turn } from './outgoing.ts'

/** The socket's side of envelopes. */
export interface Holder {
  readonly ws: WebSocket
  /** How it stands at this moment. */
  look(): Pick<HolderState, 'epoch' | 'silentMs' | 'printId' | 'now'>
  /** Null: something else is being said, and this is not urgent. */
  turn(isUrgent: boolean): Promise<Turn | null>
  renewLease(): Promise<boolean>
  isAlive(): Promise<boolean>
  lookForViewers(): Promise<void>
}

/** A copy may come this long after its envelope has expired. */
const REMEMBERED_MS = 60_000

interface Opened {
  readonly expiresAt: number
  readonly answer: Promise<EnvelopeAnswer>
}

/** Where the envelopes for one socket arrive. */
export class Letterbox {
  readonly #holder: Holder
  /** One that arrives twice is obeyed once, and answered alike. */
  readonly #opened = new Map<string, Opened>()

  constructor(holder: Holder) {
    this.#holder = holder
  }

  async open(message: unknown): Promise<EnvelopeAnswer> {
    const sealed = envelope.parse(message)
    const { id, expiresAt } = sealed
    const { now } = this.#holder.look()
    for (const [old, { expiresAt: end }] of this.#opened)
      if (end + REMEMBERED_MS < now) this.#opened.delete(old)
    const { answer } = this.#opened.get(id) ?? { answer: openEnvelope(sealed, this.#holder) }
    this.#opened.set(id, { expiresAt, answer })
    return await answer
  }
}

/** What may not be done is refused, and nothing is ever kept (docs/rules/prints.md 4). */
async function openEnvelope(sealed: Envelope, holder: Holder): Promise<EnvelopeAnswer> {
  const { kind } = sealed
  if (kind !== 'command' && kind !== 'message') return await openInTurn(sealed, holder)
  const turn = await holder.turn(kind === 'command')
  if (turn === null) return { sent: false, reason: 'busy' }
  try {
    return await openInTurn(sealed, holder)
  } finally {
    turn.release()
  }
}

async function openInTurn(sealed: Envelope, holder: Holder): Promise<EnvelopeAnswer> {
  const holdsLease = sealed.kind !== 'command' || (await holder.renewLease())
  const { ws } = holder
  // Looked at after the lease was asked for, which takes its time.
  const refusal = refusalOf(sealed, {
    ...holder.look(),
    holdsLease,
    isOpen: ws.readyState === ws.OPEN,
    bufferedBytes: ws.bufferedAmount,
  })
  if (refusal !== null) return { sent: false, reason: refusal }
  const done = await obey(sealed, holder)
  return done ? { sent: true, at: holder.look().now } : { sent: false, reason: 'unanswered' }
}

async function obey({ kind, frame }: Envelope, holder: Holder): Promise<boolean> {
  if (kind === 'viewers') {
    await holder.lookForViewers()
    return true
  }
  if (kind !== 'probe') return await flush(holder.ws, textOf(frame))
  const isAlive = await holder.isAlive()
  if (!isAlive) holder.ws.terminate()
  return isAlive
}

/** Writes to the socket and waits until the bytes have left; a socket that keeps them is dead and is cut. */
async function flush(ws: WebSocket, text: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const timer = setTimeout(() => {
      ws.terminate()
      resolve(false)
    }, FLUSH_WITHIN_MS)
    ws.send(text, (error) => {
      clearTimeout(timer)
      resolve(error === undefined || error === null)
    })
  })
}
