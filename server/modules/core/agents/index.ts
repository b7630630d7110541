import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { disconnectAgent } from '../presence/index.ts'
import { agentSockets } from './agents.sockets.ts'

export { type Line, onFrame, type Receiver } from '../frames/frames.ts'

/** Agents' sockets. A printer that goes takes its agent's socket with it, on every node. */
export function registerAgents(app: FastifyInstance, ctx: Ctx): void {
  ctx.events.on('printer.deleted', ({ printerId, why }) => disconnectAgent(ctx, printerId, why))
  agentSockets(app, ctx)
}
