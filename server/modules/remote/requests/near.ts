import type { Ctx } from '../../../ctx.ts'
import type { AgentLine, Ask } from './agent-line.ts'
import { download } from './download.ts'
import { type AgentRequest, headersOf, methodOf, pathOf, requestAround } from '../wire/envelope.rules.ts'
import { bodyOf, packedBodyOf } from '../wire/inflate.ts'
import { type Counted, type TunnelAnswer, TunnelFailed, type TunnelRequest } from '../wire/port.ts'
import type { Reply } from '../wire/reply.rules.ts'
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
