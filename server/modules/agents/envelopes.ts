import type { WebSocket } from 'ws'
import {
  type Envelope,
  envelope,
  type EnvelopeAnswer,
  FLUSH_WITHIN_MS,
  refusalOf,
} from '../commands/index.ts'

/** The socket's side of an envelope. */
export interface Holder {
  readonly ws: WebSocket
  readonly epoch: number
  readonly heardAt: number
  readonly printId: number | null
  now(): number
  renewLease(): Promise<boolean>
  isAlive(): Promise<boolean>
  lookForViewers(): Promise<void>
}

/** Opens an envelope: what may not be done is refused, and nothing is ever kept (issue 3, part 3). */
export async function openEnvelope(message: Buffer, holder: Holder): Promise<EnvelopeAnswer> {
  const sealed = envelope.parse(JSON.parse(message.toString()))
  const holdsLease = sealed.kind !== 'command' || (await holder.renewLease())
  const { ws, epoch, heardAt, printId } = holder
  const refusal = refusalOf(sealed, {
    epoch,
    holdsLease,
    isOpen: ws.readyState === ws.OPEN,
    heardAt,
    bufferedBytes: ws.bufferedAmount,
    printId,
    now: holder.now(),
  })
  if (refusal !== null) return { sent: false, reason: refusal }
  const done = await obey(sealed, holder)
  return done ? { sent: true, at: holder.now() } : { sent: false, reason: 'not_responding' }
}

async function obey({ kind, frame }: Envelope, holder: Holder): Promise<boolean> {
  if (kind === 'viewers') {
    await holder.lookForViewers()
    return true
  }
  if (kind !== 'probe') return await flush(holder.ws, JSON.stringify(frame))
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
