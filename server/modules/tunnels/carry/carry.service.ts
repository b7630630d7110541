import type { Ctx } from '../../../ctx.ts'
import { carryFar, helloOf } from './far.ts'
import { lineOf, reach } from './lines.ts'
import { carryNear } from './near.ts'
import type { Counted, TunnelAnswer, TunnelRequest } from './port.ts'

/**
 * Carries a request to the agent of a printer, on whatever node that is, and answers with what the printer's page says
 * (docs/wire/agents.md 4.4). Raises `TunnelFailed`, or the reason of `request.signal`. Asks nobody who may: that is the doors' part. `counted`
 * hears of the agent's bytes as they come.
 */
export async function carry(
  ctx: Ctx,
  printerId: number,
  request: TunnelRequest,
  counted: Counted,
): Promise<TunnelAnswer> {
  const line = lineOf(ctx, printerId)
  if (line !== null) return await carryNear(ctx, line, request, counted)
  return await carryFar(await reach(ctx, printerId, helloOf(request)), request, counted)
}
