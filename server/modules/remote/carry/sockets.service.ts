import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { type Hello, openFar } from './far.ts'
import { lineOf, reach } from './lines.ts'
import type { TunnelSocket, TunnelSocketOptions } from '../wire/port.ts'
import { openNear } from '../requests/socket.ts'

/**
 * Opens a websocket of the printer's page through its agent, on whatever node that is; takes some seconds while the page still asks for
 * its files. Raises `TunnelFailed`. Asks nobody who may: that is the doors' part.
 */
export async function openTunnelSocket(
  ctx: Ctx,
  printerId: PrinterId,
  options: TunnelSocketOptions,
): Promise<TunnelSocket> {
  const line = lineOf(ctx, printerId)
  if (line !== null) return await openNear(ctx, line, options)
  const { path } = options
  return await openFar(
    await reach(ctx, printerId, JSON.stringify({ kind: 'socket', path } satisfies Hello)),
    options,
  )
}
