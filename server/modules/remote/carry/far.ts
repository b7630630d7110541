import type { Stream } from '../../../engines/live/stream.ts'
import { FRAME, frame } from '../wire/frames.rules.ts'
import {
  type Counted,
  reasonOf,
  type TunnelAnswer,
  TunnelFailed,
  type TunnelRequest,
  type TunnelSocket,
  type TunnelSocketOptions,
  TUNNEL_CLOSE,
} from '../wire/port.ts'
import { inLarge } from '../requests/upload.ts'

/** What opens a stream to another node: a request without its body, or a websocket. */
export type Hello =
  | ({ readonly kind: 'request'; readonly hasBody: boolean } & Pick<
      TunnelRequest,
      'method' | 'path' | 'headers' | 'class' | 'length' | 'takesDeflate'
    >)
  | { readonly kind: 'socket'; readonly path: string }

export const helloOf = ({
  method,
  path,
  headers,
  class: kind,
  length,
  takesDeflate,
  body,
}: TunnelRequest): string =>
  JSON.stringify({
    kind: 'request',
    method,
    path,
    headers,
    class: kind,
    hasBody: body !== undefined,
    ...(length !== undefined && { length }),
    ...(takesDeflate !== undefined && { takesDeflate }),
  } satisfies Hello)

/** What a websocket may have sent that has not left yet. */
const MAX_UNSENT = 1_048_576

/** Of a body, which is wanted whole before anything is done with it. */
const BODY_FRAME = 262_144

type Frames = AsyncIterator<Buffer>

/** Carries a request by a stream to the node that holds the agent's socket. */
export async function carryFar(
  stream: Stream,
  { body, signal }: TunnelRequest,
  counted: Counted,
): Promise<TunnelAnswer> {
  const frames = stream[Symbol.asyncIterator]()
  const onAbort = () => stream.end()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  if (body !== undefined) void pour(stream, body)
  try {
    for (;;) {
      const [kind, content] = await next(frames, signal)
      if (kind === FRAME.counted) counted(Number(content))
      if (kind !== FRAME.head) continue
      const head: Omit<TunnelAnswer, 'body'> = JSON.parse(String(content))
      return { ...head, body: restOf(stream, frames, signal, counted) }
    }
  } catch (error) {
    stream.end()
    throw error
  }
}

async function pour(stream: Stream, body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const part of inLarge(body, BODY_FRAME)) await stream.send(frame(FRAME.body, part))
    await stream.send(frame(FRAME.bodyEnd))
  } catch {
    // The browser has gone, or the answer came before all was read: who waits for it hears of the stream's end.
    stream.end()
  }
}

async function* restOf(
  stream: Stream,
  frames: Frames,
  signal: AbortSignal,
  counted: Counted,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const [kind, content] = await next(frames, signal)
      if (kind === FRAME.counted) counted(Number(content))
      if (kind === FRAME.end) return
      if (kind === FRAME.data) yield content
    }
  } finally {
    stream.end()
  }
}

/** The next frame; what it carries says why when the other node has failed. */
async function next(frames: Frames, signal?: AbortSignal): Promise<[number, Buffer]> {
  const lost = () => (signal?.aborted ? reasonOf(signal) : new TunnelFailed('lost'))
  const { done, value } = await frames.next().catch((cause: unknown) => {
    throw new TunnelFailed('lost', { cause })
  })
  if (done) throw lost()
  const content = value.subarray(1)
  if (value[0] === FRAME.failed) throw new TunnelFailed(JSON.parse(String(content)).why)
  return [value[0] ?? 0, content]
}

/** Opens a websocket by a stream to the node that holds the agent's socket. */
export async function openFar(
  stream: Stream,
  { hear, end, counted }: TunnelSocketOptions,
): Promise<TunnelSocket> {
  const frames = stream[Symbol.asyncIterator]()
  let unsent = 0
  let isOpen = true
  const finish = (code: number, reason: string) => {
    if (!isOpen) return
    isOpen = false
    stream.end()
    end(code, reason)
  }
  const listen = async () => {
    for (;;) {
      const [kind, content] = await next(frames)
      if (!isOpen) return
      if (kind === FRAME.counted) counted(Number(content))
      else if (kind === FRAME.text) hear(String(content))
      else if (kind === FRAME.bytes) hear(content)
      else if (kind === FRAME.closed) {
        const { code, reason }: { code: number; reason: string } = JSON.parse(String(content))
        return finish(code, reason)
      }
    }
  }
  for (let kind = 0; kind !== FRAME.open;) {
    const [heard, content] = await next(frames)
    if (heard === FRAME.counted) counted(Number(content))
    kind = heard
  }
  void listen().catch(() => finish(TUNNEL_CLOSE.lost, 'lost'))
  return {
    send(text) {
      if (!isOpen) return
      if (unsent > MAX_UNSENT) return finish(TUNNEL_CLOSE.slow, 'slow')
      unsent += text.length
      const sent = stream.send(frame(FRAME.text, text)).catch(() => undefined)
      void sent.finally(() => (unsent -= text.length))
    },
    get bufferedAmount() {
      return unsent
    },
    close() {
      isOpen = false
      stream.end()
    },
  }
}
