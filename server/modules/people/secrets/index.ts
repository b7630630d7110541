import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { followSecrets } from './secrets.service.ts'

export { LEAD_MS } from './secrets.rules.ts'
export { rotateSecrets, showSecrets } from './secrets.service.ts'

/** The keys that this server signs and seals with are those that stand in the database, on all nodes (docs/rules/people.md 20). */
export function registerSecrets(app: FastifyInstance, ctx: Ctx): void {
  let stopFollowing: (() => void) | undefined
  app.addHook('onReady', async () => {
    stopFollowing = await followSecrets(ctx)
  })
  app.addHook('onClose', () => stopFollowing?.())
}
