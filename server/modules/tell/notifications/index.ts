import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { registerCompanion } from '../../core/events/index.ts'
import type { Language } from '../../../http/texts.ts'
import { type Notice, PLAIN, type Words, wordsOf } from '../messages/index.ts'
import { oweEvents, registerDispatch } from '../outbox/index.ts'
import { settingsRoutes } from '../settings/settings.routes.ts'

export { brokerOf, discoveryPrefix, printerTopic, serverWord, statusTopic } from '../channels/index.ts'
export { gatheredMs, isUpright, KINDS, orientationOf } from '../messages/index.ts'
export {
  type AlertLinkRow,
  alertLinkOf,
  backOff,
  filmSettled,
  giveBackAlertLink,
  type Named,
  type News,
  noticePictureUrl,
  owe,
  showPhones,
  type Accepted,
  Standby,
  useAlertLink,
} from '../outbox/index.ts'

/** What a notice says, in plain words. */
export const noticeWords = (notice: Notice, of: { language: Language; brand: string }): Words =>
  wordsOf(notice, { ...of, markup: PLAIN })

/** How owners are told of their printers: channels, what is owed to them, what was sent (docs/wire/tell.md). */
export function registerNotifications(app: FastifyInstance, ctx: Ctx): void {
  registerCompanion(ctx, oweEvents)
  settingsRoutes(app, ctx)
  registerDispatch(app, ctx)
}
