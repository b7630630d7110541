import { listAgentFiles, signAgentFile, upsertAgentFile } from '@vigil/contract/core/agents.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { filesWithPrints } from '../../prints/prints/index.ts'
import { listOwnFiles } from './records.queries.ts'
import { signFile, upsertFile } from './records.service.ts'

const MAX_FILES = 1000

/** What agents ask of G-code files (docs/wire/agents.md 3.4). */
export function agentFileRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, listAgentFiles, async ({ principal, edge }) =>
    filesWithPrints(ctx, principal, await listOwnFiles(ctx.db, principal.userId, MAX_FILES), edge),
  )
  route(app, upsertAgentFile, async ({ principal, body, edge, reply }) => {
    const { file, isNew } = await upsertFile(ctx, principal, body)
    if (isNew) reply.status(201)
    return (await filesWithPrints(ctx, principal, [file], edge))[0]!
  })
  route(app, signAgentFile, async ({ principal, params, body, edge }) => {
    const file = await signFile(ctx, principal, params.id, body)
    return (await filesWithPrints(ctx, principal, [file], edge))[0]!
  })
}
