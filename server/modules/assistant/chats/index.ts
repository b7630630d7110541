import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { CHAT_SLICED } from '../../slice/slicing/index.ts'
import { linkChat } from './chats.queries.ts'
import { answerRoutes, chatRoutes, meRoute } from './chats.routes.ts'
import { scheduleCredits } from './credits.service.ts'

/** The assistant of desktop slicers: its answers, chats as they are kept, what a month has of questions to a model. */
export function registerChats(app: FastifyInstance, ctx: Ctx): void {
  answerRoutes(app, ctx)
  chatRoutes(app, ctx)
  meRoute(app, ctx)
  ctx.jobs.handle(CHAT_SLICED, ({ userId, chatId, fileId }) => linkChat(ctx.db, { userId, chatId, fileId }))
  scheduleCredits(ctx)
}
