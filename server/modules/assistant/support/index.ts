import { contactSupport } from '@vigil/contract/assistant/chats.ts'
import type { FastifyInstance } from 'fastify'
import { accountBrandOf } from '../../../http/brands.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../http/errors.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import { languageOf, route } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { userById } from '../../people/accounts/index.ts'
import { askSupport, handleSupportJobs } from './support.service.ts'

const LIMIT = { name: 'support', tries: 5, windowMs: 3_600_000 }
const say = (key: string) => text('assistant-server', key)

/** What people write to whoever supports this server, with or without a credential (docs/rules/assistant.md 6). */
export function registerSupport(app: FastifyInstance, ctx: Ctx): void {
  route(app, contactSupport, async ({ principal, body, edge, request }) => {
    const message = body.message?.trim() ?? ''
    if (message === '') throw new AppError(400, { error: say('emptyMessage') })
    if (ctx.config.SUPPORT_EMAIL === undefined || !ctx.mail.isConfigured)
      throw new AppError(503, { error: say('supportAway') })
    await spend(ctx, ...byAddress(LIMIT, edge.address))
    const user =
      principal.kind === 'user' || principal.kind === 'slicer'
        ? await userById(ctx, principal.userId)
        : undefined
    await askSupport(ctx, {
      userId: user?.id ?? null,
      email: user?.email ?? body.email ?? null,
      brand: user?.brand ?? accountBrandOf(request, ctx).name,
      message,
      chat: body.chat_id == null ? null : String(body.chat_id),
    })
    return { message: say('supportSent').in(languageOf(request)) }
  })
  handleSupportJobs(ctx)
}
