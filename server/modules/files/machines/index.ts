import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { machineRoutes } from './machines.routes.ts'

export {
  /** @public Whether a machine can print a file of which this is known. */
  fitOf,
  /** @public Of a printer of which nothing is told: `knownOf(null, {})`. */
  knownOf,
} from './fit.rules.ts'
export {
  /** @public A file's `metadataJson`, as {@link fitOf} reads it. */
  metadataIn,
} from './machines.routes.ts'
export {
  /** @public Several printers as machines, by their id; agents of which nothing is known are asked. */
  knownMachines,
} from './machines.service.ts'

/** Printers as machines: what they can print. */
export function registerMachines(app: FastifyInstance, ctx: Ctx): void {
  machineRoutes(app, ctx)
}
