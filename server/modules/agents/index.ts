import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { disconnectAgent } from '../commands/index.ts'
import { agentRoutes } from './agents.routes.ts'
import { agentSockets } from './agents.sockets.ts'

export { allLettersTaken } from './letters.ts'

/** Agents' HTTP calls and their sockets. A printer that goes takes its agent's socket with it, on every node. */
export function registerAgents(app: FastifyInstance, ctx: Ctx): void {
  agentRoutes(app, ctx)
  ctx.events.on('printer.deleted', ({ printerId, why }) => disconnectAgent(ctx, printerId, why))
  agentSockets(app, ctx)
}
