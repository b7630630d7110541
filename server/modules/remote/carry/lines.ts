import type { Ctx } from '../../../ctx.ts'
import type { Stream } from '../../../engines/live/stream.ts'
import type { PrinterId } from '../../../lib/id.ts'
import { ofServer } from '../../../lib/of-server.ts'
import { onFrame } from '../../core/agents/index.ts'
import { acceptTunnels, openTunnel, readAgent } from '../../core/presence/index.ts'
import { AgentLine } from '../requests/agent-line.ts'
import { carryNear } from '../requests/near.ts'
import { openNear } from '../requests/socket.ts'
import { FRAME, frame, frameOf } from '../wire/frames.rules.ts'
import { TunnelFailed, type TunnelAnswer, type TunnelSocket, TUNNEL_CLOSE } from '../wire/port.ts'
import type { Hello } from './far.ts'

/** What a websocket of a browser on another node may leave unread. */
const MAX_UNREAD = 4_194_304

/** Serves what another node asks of the agent on this line. */
async function relay(ctx: Ctx, line: AgentLine, stream: Stream, hello: string): Promise<void> {
  const asked: Hello = JSON.parse(hello)
  try {
    await (asked.kind === 'request'
      ? relayRequest(ctx, line, stream, asked)
      : relaySocket(ctx, line, stream, asked))
  } catch (error) {
    const why = error instanceof TunnelFailed ? error.why : 'lost'
    if (!(error instanceof TunnelFailed))
      ctx.log.debug({ err: error, printerId: line.printerId }, 'a request of another node was not carried')
    await stream.send(frameOf(FRAME.failed, { why })).catch(() => undefined)
    stream.end()
  }
}

async function relayRequest(
  ctx: Ctx,
  line: AgentLine,
  stream: Stream,
  asked: Extract<Hello, { kind: 'request' }>,
): Promise<void> {
  const stop = new AbortController()
  void stream.ended.then(() => stop.abort(new TunnelFailed('lost')))
  const say = async (bytes: Buffer) => await stream.send(bytes)
  const counted = (bytes: number) => void say(frame(FRAME.counted, String(bytes))).catch(() => undefined)
  const { hasBody, ...request } = asked
  const body = hasBody ? { body: bodyOf(stream) } : {}
  const answer = await carryNear(ctx, line, { ...request, ...body, signal: stop.signal }, counted)
  const { body: parts, ...head } = answer
  await say(frameOf(FRAME.head, head satisfies Omit<TunnelAnswer, 'body'>))
  for await (const part of parts) await say(frame(FRAME.data, part))
  await say(frame(FRAME.end))
  stream.end()
}

/** The request's body. Leaving it does not end the stream, by which the answer goes. */
async function* bodyOf(stream: Stream): AsyncGenerator<Uint8Array> {
  const frames = stream[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await frames.next()
    if (done) throw new TunnelFailed('lost')
    if (value[0] === FRAME.bodyEnd) return
    if (value[0] === FRAME.body) yield value.subarray(1)
  }
}

async function relaySocket(
  ctx: Ctx,
  line: AgentLine,
  stream: Stream,
  { path }: Extract<Hello, { kind: 'socket' }>,
): Promise<void> {
  let unread = 0
  let socket: TunnelSocket | null = null
  const say = (bytes: Buffer) => {
    unread += bytes.length
    if (unread > MAX_UNREAD) return stop(TUNNEL_CLOSE.slow, 'slow')
    const sent = stream.send(bytes).catch(() => undefined)
    void sent.finally(() => (unread -= bytes.length))
  }
  const stop = (code: number, reason: string) => {
    socket?.close()
    const sent = stream.send(frameOf(FRAME.closed, { code, reason })).catch(() => undefined)
    void sent.finally(() => stream.end())
  }
  const gone = new AbortController()
  void stream.ended.then(() => gone.abort(new TunnelFailed('lost')))
  socket = await openNear(ctx, line, {
    path,
    signal: gone.signal,
    hear: (data) => say(frame(typeof data === 'string' ? FRAME.text : FRAME.bytes, data)),
    end: stop,
    counted: (bytes) => say(frame(FRAME.counted, String(bytes))),
  })
  await stream.send(frame(FRAME.open))
  try {
    for await (const heard of stream) if (heard[0] === FRAME.text) socket.send(heard.toString('utf8', 1))
  } finally {
    socket.close()
  }
}

/** The agents whose sockets this node holds, by printer. */
const heldBy = ofServer(() => new Map<number, AgentLine>())

/** Takes what agents say of tunnels, and what other nodes want of the agents of this one. */
export function holdLines(ctx: Ctx): void {
  const lines = heldBy(ctx)
  onFrame(ctx, 'tunnel', async (_ctx, line) => {
    const { printerId, epoch } = line
    const mine = new AgentLine(ctx, line)
    const serve = (stream: Stream, hello: string) => void relay(ctx, mine, stream, hello)
    const stop = await acceptTunnels(ctx, { printerId, epoch: epoch ?? 0 }, serve)
    if (line.isOpen) lines.set(printerId, mine)
    else stop()
    return mine.receiver(() => {
      stop()
      if (lines.get(printerId) === mine) lines.delete(printerId)
    })
  })
}

/** The line of a printer's agent, when this node holds it. */
export function lineOf(ctx: Pick<Ctx, 'live'>, printerId: PrinterId): AgentLine | null {
  const line = heldBy(ctx).get(printerId)
  return line?.isOpen ? line : null
}

/** A stream to the node that holds the socket of a printer's agent. Raises `TunnelFailed` when none does. */
export async function reach(ctx: Ctx, printerId: PrinterId, hello: string): Promise<Stream> {
  const agent = await readAgent(ctx, printerId)
  const stream = agent && (await openTunnel(ctx, { printerId, epoch: agent.epoch }, hello))
  if (stream === null) throw new TunnelFailed('offline')
  return stream
}
