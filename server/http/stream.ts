import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './errors.ts'
import { type Door, isLetIn, type PrincipalOf } from './principal.ts'
import { authorize } from './route.ts'

/** A file or the like, of which a part may be asked for. */
export interface Content {
  readonly numBytes: number
  readonly modifiedAt: Date
  /** Names this state of it, in quotes. */
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  /** The whole of it is sent in chunks that say where it ends: who would take a part for the whole notices. */
  readonly isLengthUntold?: boolean
  /** The whole of it, or a part, inclusive; null when it has gone meanwhile. */
  open(part?: { start: number; end: number }): Promise<Readable | Buffer | null>
}

/** Something that happened, as the browser's `EventSource` gets it. */
export interface ServerEvent {
  /** `message` unless given. */
  readonly name?: string
  /** With which a browser that lost the line asks for what followed: its `Last-Event-ID`. */
  readonly id?: string
  /** Sent as JSON. */
  readonly data: unknown
}

export interface StreamCall<D extends Door> {
  readonly principal: PrincipalOf<D>
  readonly params: Record<string, string | undefined>
  readonly request: FastifyRequest
  /** The last event that the browser has had. */
  readonly lastEventId: string | undefined
  /** Aborted when nobody listens any more, or the server stops. */
  readonly signal: AbortSignal
}

interface StreamDefinition<D extends Door> {
  readonly path: `/${string}`
  readonly callers: readonly D[]
}

/** Proxies and browsers give up a line on which nothing comes. */
const BEAT_MS = 15_000
/** A browser that lost the line comes again after this. */
const RETRY_MS = 2_000

/**
 * Serves what is long: content in parts (`Range`, `If-Range`, `If-None-Match`, `HEAD`) or events as they happen
 * (`text/event-stream`). Never compressed, never held in memory: what is not taken is not read.
 */
export function stream<const D extends Door>(
  app: FastifyInstance,
  { path, callers }: StreamDefinition<D>,
  handler: (call: StreamCall<D>) => Promise<Content> | AsyncIterable<ServerEvent>,
): void {
  app.routeTable.push({ kind: 'page', method: 'GET', path, callers })
  const isOpen = isLetIn({ kind: 'anonymous' }, callers)
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    compress: false,
    config: { open: isOpen },
    onRequest: async ({ principal }) => authorize(principal, callers),
    handler: async (request, reply) => {
      const listening = new AbortController()
      const signal = AbortSignal.any([listening.signal, app.closing])
      reply.raw.once('close', () => listening.abort())
      const lastEventId = request.headers['last-event-id']
      const answer = handler({
        principal: request.principal as PrincipalOf<D>,
        params: request.params as Record<string, string | undefined>,
        request,
        lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
        signal,
      })
      return Symbol.asyncIterator in answer
        ? sendEvents(request, reply, answer, signal)
        : sendContent(request, reply, await answer)
    },
  })
}

async function sendContent(request: FastifyRequest, reply: FastifyReply, content: Content) {
  const { numBytes, modifiedAt, etag, headers } = content
  reply.headers({
    ...headers,
    'accept-ranges': 'bytes',
    'last-modified': modifiedAt.toUTCString(),
    etag,
  })
  const { 'if-none-match': known, 'if-range': ifRange, range } = request.headers
  if (known === etag) return reply.status(304).send()
  const part = ifRange === undefined || ifRange === etag ? rangeOf(range, numBytes) : null
  if (part === 'none')
    return reply.status(416).header('content-range', `bytes */${numBytes}`).removeHeader('etag').send()
  const length = part ? part.end - part.start + 1 : numBytes
  if (part) reply.status(206).header('content-range', `bytes ${part.start}-${part.end}/${numBytes}`)
  if (request.method === 'HEAD') return reply.header('content-length', length).send()
  const bytes = await content.open(part ?? undefined)
  if (bytes === null) throw notFound()
  if (!part && content.isLengthUntold) return reply.send(bytes)
  return reply.header('content-length', Buffer.isBuffer(bytes) ? bytes.length : length).send(bytes)
}

/**
 * The asked part of `size` bytes: null for all of it (no, several or strange ranges), 'none' for what lies outside.
 */
export function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'none' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null
  return start > end ? 'none' : { start, end }
}

function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  events: AsyncIterable<ServerEvent>,
  signal: AbortSignal,
) {
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx would gather them first
    'x-accel-buffering': 'no',
  })
  if (request.method === 'HEAD') return reply.send()
  // The connection is not cut for its silence: the beat breaks it.
  return reply.send(Readable.from(textOf(events, signal), { objectMode: false, highWaterMark: 16_384 }))
}

/** Events as they travel, with a beat where there is none, until they end or `signal` does. */
async function* textOf(events: AsyncIterable<ServerEvent>, signal: AbortSignal): AsyncIterable<string> {
  const iterator = events[Symbol.asyncIterator]()
  const ended = new Promise<'ended'>((resolve) => {
    if (signal.aborted) resolve('ended')
    signal.addEventListener('abort', () => resolve('ended'), { once: true })
  })
  yield `retry: ${RETRY_MS}\n\n`
  try {
    for (let next = iterator.next(); ;) {
      let timer: NodeJS.Timeout | undefined
      const beat = new Promise<'beat'>((resolve) => (timer = setTimeout(resolve, BEAT_MS, 'beat')))
      const came = await Promise.race([next, ended, beat]).finally(() => clearTimeout(timer))
      if (came === 'ended') return
      if (came === 'beat') yield ': beat\n\n'
      else if (came.done) return
      else {
        yield lineOf(came.value)
        next = iterator.next()
      }
    }
  } finally {
    void iterator.return?.()
  }
}

/** One event; names and ids are words of ours, but a line break in them would begin another field. */
function lineOf({ name, id, data }: ServerEvent): string {
  const word = (text: string) => text.replace(/[\r\n\0]/g, ' ')
  return [
    id === undefined ? '' : `id: ${word(id)}\n`,
    name === undefined ? '' : `event: ${word(name)}\n`,
    `data: ${JSON.stringify(data)}\n\n`,
  ].join('')
}
