import type { Ctx } from '../../../ctx.ts'
import { type AgentRequest, headersOf, methodOf, pathOf, requestAround } from '../wire/envelope.rules.ts'
import { bodyOf, packedBodyOf, type Body } from '../wire/inflate.ts'
import { type Counted, type TunnelAnswer, TunnelFailed, type TunnelRequest } from '../wire/port.ts'
import {
  BESIDE_PAGE,
  type ContentRange,
  rangeOf,
  sizeAfter,
  SMALLEST,
  validatorOf,
} from '../wire/range.rules.ts'
import type { Reply } from '../wire/reply.rules.ts'
import type { AgentLine, Ask } from './agent-line.ts'
import { type Kept, keepBody, SMALL } from './upload.ts'

/** A key of Moonraker's in the address: the first part of a file would use it up. */
const ONE_TIME = /[?&]token=/
/** Bodies of one agent's printer that lie on this node's disk at once. */
const MOST_KEPT = 4
const MB = 1_048_576
/** A printer's page works on what it was sent: a second more for each megabyte, at most five minutes. */
const MOST_SECONDS = 300

/** Carries a request over a line of this node. */
export async function carryNear(
  ctx: Ctx,
  line: AgentLine,
  request: TunnelRequest,
  counted: Counted,
): Promise<TunnelAnswer> {
  await line.checkAge(ctx.db)
  const [method, path, headers] = [methodOf(request.method), pathOf(request.path), headersOf(request.headers)]
  if (method === null || path === null || headers === null) throw new TunnelFailed('agent')
  const ask = { class: request.class, signal: request.signal, counted, method, path, headers }
  if (request.body !== undefined) return await send(ctx, line, ask, { ...request, body: request.body })
  const isWhole = headers['Range'] === undefined && !ONE_TIME.test(path)
  const isFile = request.class === 'bulk' && method === 'get' && isWhole
  return isFile ? await download(line, ask) : await answered(line, ask, request.takesDeflate)
}

async function answered(line: AgentLine, ask: Ask, takesDeflate = false): Promise<TunnelAnswer> {
  const reply = await line.ask(ask)
  const { status, headers, cookies } = reply
  const packed = takesDeflate ? packedBodyOf(reply) : null
  if (packed !== null) return { status, headers: varied(headers), cookies, ...packed }
  return { status, headers, cookies, ...(await bodyOf(reply)) }
}

/** Who asks without `Accept-Encoding` gets other bytes. */
const varied = (headers: Reply['headers']): Reply['headers'] => ({
  ...headers,
  vary: headers['vary'] === undefined ? 'accept-encoding' : `${headers['vary']}, accept-encoding`,
})

async function send(
  ctx: Ctx,
  line: AgentLine,
  ask: Ask,
  { body, length, takesDeflate }: TunnelRequest & Required<Pick<TunnelRequest, 'body'>>,
): Promise<TunnelAnswer> {
  if (length === undefined) throw new TunnelFailed('lengthRequired')
  if (length > ctx.config.TUNNEL_MAX_UPLOAD_MB * MB) throw new TunnelFailed('tooLarge')
  const isLarge = length > SMALL
  if (isLarge && line.kept >= MOST_KEPT) throw new TunnelFailed('busy')
  if (isLarge) line.kept++
  const closing: (() => Promise<void>)[] = []
  try {
    const kept = await keepBody(ctx, body, length, AbortSignal.any([ask.signal, line.gone]))
    closing.push(kept.close)
    const timeout = Math.min(30 + Math.ceil(length / MB), MOST_SECONDS)
    const sayIt: Ask['say'] = (request, isWanted) => say(line, request, kept, isWanted)
    return await answered(line, { ...ask, timeout, say: sayIt }, takesDeflate)
  } finally {
    if (isLarge) line.kept--
    for (const close of closing) await close()
  }
}

async function say(
  line: AgentLine,
  request: AgentRequest,
  { whole, length, parts }: Kept,
  isWanted: () => boolean,
): Promise<void> {
  if (whole !== null) return await line.say(request, whole, isWanted)
  const { head, tail } = requestAround(request, length)
  async function* message() {
    // It may have waited for the one before it.
    if (!isWanted()) throw new TunnelFailed('busy')
    yield head
    yield* parts()
    yield tail
  }
  await line.sendParts(message())
}

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
async function download(
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
