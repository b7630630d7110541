import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { agentFileRoutes } from './gcodefiles.routes.ts'

/** Records of G-code files: which there are, and where they live. */
export function registerGCodeFiles(app: FastifyInstance, ctx: Ctx): void {
  agentFileRoutes(app, ctx)
}
