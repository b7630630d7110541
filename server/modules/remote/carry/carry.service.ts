import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { openAssets, throughAssets } from '../assets/assets.service.ts'
import { carryFar, helloOf } from './far.ts'
import { holdLines, lineOf, reach } from './lines.ts'
import { carryNear } from '../requests/near.ts'
import type { Counted, TunnelAnswer, TunnelRequest } from '../wire/port.ts'

/** Takes what agents say of tunnels, and keeps files of printers' pages on this node. */
export function registerCarry(ctx: Ctx): void {
  holdLines(ctx)
  openAssets(ctx)
}

/**
 * Carries a request to the agent of a printer, on whatever node that is, and answers with what the printer's page says
 * (docs/wire/agents.md 4.4). Raises `TunnelFailed`, or the reason of `request.signal`. Asks nobody who may: that is the doors' part. `counted`
 * hears of the agent's bytes as they come.
 */
export async function carry(
  ctx: Ctx,
  printerId: PrinterId,
  request: TunnelRequest,
  counted: Counted,
): Promise<TunnelAnswer> {
  return await throughAssets(ctx, printerId, request, async (asked) => {
    const line = lineOf(ctx, printerId)
    if (line !== null) return await carryNear(ctx, line, asked, counted)
    return await carryFar(await reach(ctx, printerId, helloOf(asked)), asked, counted)
  })
}
