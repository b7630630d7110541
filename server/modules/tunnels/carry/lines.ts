import type { Ctx } from '../../../ctx.ts'
import type { Live } from '../../../engines/live/port.ts'
import { onFrame } from '../../agents/index.ts'
import { AgentLine } from './agent-line.ts'

/** The agents whose sockets this node holds, by printer, for each node's `live`. */
const held = new WeakMap<Live, Map<number, AgentLine>>()

/** Takes what agents say of tunnels. */
export function holdLines(ctx: Ctx): void {
  const lines = new Map<number, AgentLine>()
  held.set(ctx.live, lines)
  onFrame(ctx, 'tunnel', (_ctx, line) => {
    const mine = new AgentLine(ctx, line)
    lines.set(line.printerId, mine)
    return mine.receiver(() => {
      if (lines.get(line.printerId) === mine) lines.delete(line.printerId)
    })
  })
}

/** The line of a printer's agent, when this node holds it. */
export function lineOf({ live }: Pick<Ctx, 'live'>, printerId: number): AgentLine | null {
  const line = held.get(live)?.get(printerId)
  return line?.isOpen ? line : null
}
