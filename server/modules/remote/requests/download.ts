import type { AgentLine, Ask } from './agent-line.ts'
import { type Body, bodyOf } from '../wire/inflate.ts'
import { TunnelFailed } from '../wire/port.ts'
import {
  BESIDE_PAGE,
  type ContentRange,
  rangeOf,
  sizeAfter,
  SMALLEST,
  validatorOf,
} from '../wire/range.rules.ts'
import type { Reply } from '../wire/reply.rules.ts'

/** The first part of a file, by which all others are asked for. */
interface File {
  readonly ask: Ask
  readonly headers: Readonly<Record<string, string>>
  readonly total: number
  readonly first: Buffer
  readonly size: number
  readonly ifRange: string | null
}

interface Part {
  readonly bytes: Buffer
  readonly tookMs: number
}

/**
 * Asks for a file part by part, one ahead of who reads: the agent sends no more than is wanted, and others are not kept waiting behind
 * many megabytes. A page that knows no parts answers whole.
 */
export async function download(
  line: AgentLine,
  ask: Ask,
): Promise<Omit<Reply, 'kind' | 'ref' | 'isCompressed' | 'content'> & Body> {
  const began = performance.now()
  const reply = await line.ask(rangeAsk(ask, 0, SMALLEST, null))
  if (reply.status !== 206 && reply.status !== 416) return await wholeOf(reply)
  const range = rangeOf(reply.headers['content-range'])
  const first = range?.start === 0 && reply.status === 206 ? await bytesOf(reply, range) : null
  const validator = validatorOf(reply.headers)
  // An empty file, or parts that could not be told from those of another one: then all of it at once.
  if (range === null || first === null || validator === null) return await wholeOf(await line.ask(ask))
  const { 'content-range': _, ...headers } = reply.headers
  const size = sizeAfter(SMALLEST, performance.now() - began)
  const file = { ask, headers, total: range.total, first, size, ifRange: validator.ifRange }
  return { status: 200, headers, cookies: reply.cookies, length: range.total, body: partsOf(line, file) }
}

async function wholeOf(reply: Reply) {
  const { status, headers, cookies } = reply
  return { status, headers, cookies, ...(await bodyOf(reply)) }
}

function rangeAsk(ask: Ask, start: number, size: number, ifRange: string | null): Ask {
  const range = `bytes=${start}-${start + size - 1}`
  const headers = { ...ask.headers, Range: range, 'Accept-Encoding': 'identity' }
  return { ...ask, headers: ifRange === null ? headers : { ...headers, 'If-Range': ifRange } }
}

/** The bytes of a part; null when they are not what the range says. */
async function bytesOf(reply: Reply, { start, end }: ContentRange): Promise<Buffer | null> {
  const length = end - start + 1
  if (length > reply.content.length && !reply.isCompressed) return null
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (await bodyOf(reply)).body) {
    size += part.length
    if (size > length) return null
    parts.push(part)
  }
  return size === length ? Buffer.concat(parts, size) : null
}

async function* partsOf(line: AgentLine, file: File): AsyncGenerator<Uint8Array> {
  const stop = new AbortController()
  const ask = { ...file.ask, signal: AbortSignal.any([file.ask.signal, stop.signal]) }
  let { size } = file
  let at = file.first.length
  const ahead = () => {
    if (at >= file.total) return null
    const most = line.window.isPageInUse ? BESIDE_PAGE : size
    const part = nextPart(line, { ...file, ask }, at, Math.min(most, file.total - at))
    // Who reads may have gone before it comes.
    part.catch(() => undefined)
    return part
  }
  try {
    let next = ahead()
    yield file.first
    while (next !== null) {
      const { bytes, tookMs } = await next
      at += bytes.length
      size = sizeAfter(size, tookMs)
      next = ahead()
      yield bytes
    }
  } finally {
    stop.abort()
  }
}

/** Raises `TunnelFailed` when it is not of the same file: what has come already must not be put together with it. */
async function nextPart(line: AgentLine, file: File, start: number, size: number): Promise<Part> {
  const began = performance.now()
  const reply = await line.ask(rangeAsk(file.ask, start, size, file.ifRange))
  const range = reply.status === 206 ? rangeOf(reply.headers['content-range']) : null
  const isSame =
    range?.start === start &&
    range.end === start + size - 1 &&
    range.total === file.total &&
    reply.headers['etag'] === file.headers['etag'] &&
    reply.headers['last-modified'] === file.headers['last-modified']
  const bytes = isSame && range ? await bytesOf(reply, range) : null
  if (bytes === null) throw new TunnelFailed('agent')
  return { bytes, tookMs: performance.now() - began }
}
