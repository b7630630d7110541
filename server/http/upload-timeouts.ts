import type { Socket } from 'node:net'
import { type Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, badRequest, unavailable } from './errors.ts'

/** A sender of whom nothing has come for so long has gone. */
const STALL_MS = 60_000

/** Connections whose request may take longer than others: its own route looks after the time. */
const patient = new WeakSet<Socket>()

/** True for what the server has to say of a request that came too slowly, where its route is patient. */
export const isPatient = (error: Error, socket: Socket): boolean =>
  'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.has(socket)

const tooSlow = () => new AppError(408, { detail: 'The upload took too long.' }, { connection: 'close' })

/** The body of a request as it comes, for as long as its route allows. */
export interface LongBody {
  readonly body: Readable
  /** Aborted, with the answer as reason, when no more of it will come. */
  readonly cut: AbortSignal
  /** Ends the watch over it; what is left of the body is thrown away as it comes. */
  release(): void
}

/**
 * Takes the body of a request in hand: at most `timeMs` for all of it, a minute without any of it. Cut by time, by a
 * sender who goes, and by the end of the server.
 */
export function openBody(
  request: Pick<FastifyRequest, 'raw'> & { readonly server: Pick<FastifyInstance, 'closing'> },
  timeMs: number,
): LongBody {
  const { raw, server } = request
  const { socket } = raw
  const ended = new AbortController()
  const body = new Transform({
    transform(chunk, _encoding, done) {
      stall.refresh()
      done(null, chunk)
    },
  })
  const cut = (why: AppError) => {
    if (ended.signal.aborted) return
    ended.abort(why)
    raw.unpipe(body)
    body.destroy(why)
  }
  const whole = setTimeout(() => cut(tooSlow()), timeMs)
  const stall = setTimeout(() => cut(tooSlow()), STALL_MS)
  const onClose = () => {
    if (!raw.readableEnded) cut(badRequest('The body was cut off.'))
  }
  const onClosing = () => cut(unavailable('The server is busy starting or stopping. Please try again.'))
  patient.add(socket)
  body.on('error', () => undefined)
  raw.on('close', onClose).on('error', onClose)
  server.closing.addEventListener('abort', onClosing)
  // The sender, or the server, may have gone while the route was thinking.
  if (server.closing.aborted) onClosing()
  else if (raw.readableEnded) body.end()
  else if (raw.destroyed) onClose()
  else raw.pipe(body)
  return {
    body,
    cut: ended.signal,
    release() {
      clearTimeout(whole)
      clearTimeout(stall)
      server.closing.removeEventListener('abort', onClosing)
      raw.off('close', onClose).off('error', onClose)
      raw.unpipe(body)
      patient.delete(socket)
      raw.resume()
    },
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted when the server begins to close: what would take long ends now. */
    closing: AbortSignal
  }
}
