import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { registerCompanion } from '../events/index.ts'
import { oweEvent, startDispatch } from './outbox/index.ts'
import { settingsRoutes } from './settings/settings.routes.ts'

export {
  type AlertLinkRow,
  alertLinkOf,
  filmSettled,
  giveBackAlertLink,
  type News,
  noticePictureUrl,
  owe,
  useAlertLink,
} from './outbox/index.ts'

/** How owners are told of their printers: channels, what is owed to them, what was sent (docs/wire/channels.md). */
export function registerNotifications(app: FastifyInstance, ctx: Ctx): void {
  registerCompanion(ctx, oweEvent)
  settingsRoutes(app, ctx)
  const dispatch = startDispatch(ctx)
  app.addHook('onClose', () => dispatch.close())
}
