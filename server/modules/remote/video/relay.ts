import { CLOSE } from '@vigil/contract/sockets.ts'
import type { WebSocket } from 'ws'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { StreamClosed } from '../../../engines/live/stream.ts'
import { keepBrowser, sendBounded } from '../../../http/outbox.ts'
import { Bucket } from '../../../lib/bucket.ts'
import { openVideo } from '../../core/presence/index.ts'
import { FULL } from './gateway.ts'
import type { Guest } from './viewing.ts'

/** Four cameras that connect at once say some hundred things; after that a keep-alive now and then. */
const RATE = { burst: 200, perSecond: 20 }
/** What a viewer has said and the agent's node has not taken. */
const MOST_WAITING = 100
/** A viewer who does not answer our closing is cut after this long. */
const CUT_AFTER_MS = 500

interface Viewer {
  readonly printerId: PrinterId
  readonly guest: Guest
  /** Ends the socket when its viewer may not look any more; resolves with how to stop looking after that. */
  readonly until: Promise<() => void>
}

/** Takes what a viewer says to the node that speaks with the printer's agent, and back, until one of them goes. */
export async function relay(ctx: Ctx, ws: WebSocket, { printerId, guest, until }: Viewer): Promise<void> {
  const opening = openVideo(ctx, printerId, guest)
  const bucket = new Bucket(() => ctx.clock.monotonic(), RATE)
  let waiting = 0
  ws.on('error', () => ws.terminate())
  ws.on('close', () => {
    until.then((stop) => stop()).catch(() => undefined)
    opening.then((stream) => stream?.end()).catch(() => undefined)
  })
  ws.on('message', (data: Buffer, isBinary) => {
    const text = data.toString()
    if (isBinary || isHeartbeat(text)) return
    if (!bucket.take() || waiting >= MOST_WAITING) return end(ws, CLOSE.slow, 'too much at once')
    waiting++
    opening
      .then((stream) => stream?.send(text))
      .catch(() => undefined)
      .finally(() => waiting--)
  })
  keepBrowser(ws)
  const [stream] = await Promise.all([opening, until])
  if (stream === null) return end(ws, CLOSE.agentAway, 'the agent is not connected')
  let isFull = false
  try {
    for await (const frame of stream) {
      const text = frame.toString()
      if (text === FULL) isFull = true
      else if (!sendBounded(ws, text)) break
    }
  } catch (error) {
    if (!(error instanceof StreamClosed)) throw error
  }
  if (isFull) end(ws, CLOSE.full, 'Too many people are watching.')
  else end(ws, CLOSE.agentAway, 'the agent has gone')
}

/** Pings of pages, and the empty object of other clients (contract/sockets.ts). */
const isHeartbeat = (text: string) => text === '{}' || /^\{"ping":\d{1,9}\}$/.test(text)

function end(ws: WebSocket, code: number, why: string): void {
  ws.close(code, why)
  setTimeout(() => ws.terminate(), CUT_AFTER_MS).unref()
}
