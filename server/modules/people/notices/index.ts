import * as contract from '@vigil/contract/people/notices.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { languageOf, route } from '../../../http/route.ts'
import { requireAdmin } from '../accounts/index.ts'
import {
  dismissNotice,
  listNotices,
  listWritten,
  removeNotice,
  rewriteNotice,
  writeNotice,
} from './notices.service.ts'

/** What whoever runs this server has to say to people, in both editions (docs/rules/people.md 18). */
export function registerNotices(app: FastifyInstance, ctx: Ctx): void {
  route(app, contract.listNotices, ({ principal, request }) =>
    listNotices(ctx, principal, languageOf(request)),
  )
  route(app, contract.dismissNotice, async ({ principal, params }) => {
    await dismissNotice(ctx, principal, params.id)
    return null
  })
  route(app, contract.listWrittenNotices, async (call) => listWritten(ctx, await requireAdmin(ctx, call)))
  route(app, contract.writeNotice, async (call) => writeNotice(ctx, await requireAdmin(ctx, call), call.body))
  route(app, contract.rewriteNotice, async (call) => {
    const admin = await requireAdmin(ctx, call)
    return await rewriteNotice(ctx, admin, { id: call.params.id, wish: call.body })
  })
  route(app, contract.removeNotice, async (call) => {
    await removeNotice(ctx, await requireAdmin(ctx, call), call.params.id)
    return null
  })
}
