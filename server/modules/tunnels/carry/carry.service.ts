import type { Ctx } from '../../../ctx.ts'
import type { AgentLine } from './agent-line.ts'
import { headersOf, methodOf, pathOf } from './envelope.rules.ts'
import { bodyOf } from './inflate.ts'
import { lineOf } from './lines.ts'
import { type Counted, type TunnelAnswer, TunnelFailed, type TunnelRequest } from './port.ts'

/**
 * Carries a request to the agent of a printer and answers with what the printer's page says (docs/wire/agents.md 4.3). Raises `TunnelFailed`,
 * or the reason of `request.signal`. Asks nobody who may: that is the doors' part. `counted` hears of the agent's bytes as they come.
 */
export async function carry(
  ctx: Ctx,
  printerId: number,
  request: TunnelRequest,
  counted: Counted,
): Promise<TunnelAnswer> {
  const line = lineOf(ctx, printerId)
  if (line === null) throw new TunnelFailed('offline')
  return await carryOn(line, request, counted)
}

async function carryOn(line: AgentLine, request: TunnelRequest, counted: Counted): Promise<TunnelAnswer> {
  const { signal, body } = request
  const [method, path, headers] = [methodOf(request.method), pathOf(request.path), headersOf(request.headers)]
  if (method === null || path === null || headers === null) throw new TunnelFailed('agent')
  const ask = { class: request.class, signal, counted, method, path, headers }
  const data = body === undefined ? null : await gathered(body, request.length)
  const reply = await line.ask({ ...ask, say: (asked) => line.say(asked, data) })
  const { status, cookies } = reply
  return { status, headers: reply.headers, cookies, ...(await bodyOf(reply)) }
}

async function gathered(body: AsyncIterable<Uint8Array>, length: number | undefined): Promise<Uint8Array> {
  if (length === undefined) throw new TunnelFailed('lengthRequired')
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}
