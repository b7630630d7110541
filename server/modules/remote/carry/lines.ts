import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Stream } from '../../../engines/live/stream.ts'
import { onFrame } from '../../core/agents/index.ts'
import { acceptTunnels, openTunnel, readAgent } from '../../core/presence/index.ts'
import { AgentLine } from '../requests/agent-line.ts'
import { TunnelFailed } from '../wire/port.ts'
import { relay } from './relay.ts'
import { ofServer } from '../../../lib/of-server.ts'

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
