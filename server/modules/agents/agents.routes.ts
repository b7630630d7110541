import {
  getAgentPrinter,
  listAgentFiles,
  pingAgentPrinter,
  postPrinterEvent,
  renameAgentPrinter,
  signAgentFile,
  upsertAgentFile,
} from '@vigil/contract/agents.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import type { Upload } from '../../http/bodies.ts'
import { invalid } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { filesWithPrints } from '../prints/index.ts'
import { presentAgentPrinter } from './agents.present.ts'
import { agentPrinterOf, rename, signFile, takeEvent, upsertFile } from './agents.service.ts'
import { listOwnFiles } from './files.queries.ts'

const MAX_FILES = 1000

const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && Buffer.isBuffer((value as Upload).bytes)

/** HTTP calls of agents (docs/wire/agents.md 3); pictures and linking are other features'. */
export function agentRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, getAgentPrinter, async ({ principal }) =>
    presentAgentPrinter(await agentPrinterOf(ctx, principal.printerId)),
  )
  route(app, pingAgentPrinter, async ({ principal }) =>
    presentAgentPrinter(await agentPrinterOf(ctx, principal.printerId)),
  )
  route(app, renameAgentPrinter, async ({ principal, body }) =>
    presentAgentPrinter(await rename(ctx, principal.printerId, body.name)),
  )

  route(app, postPrinterEvent, async ({ principal, body }) => {
    if (body.snapshot !== undefined && !isUpload(body.snapshot)) {
      throw invalid({ snapshot: 'The submitted data was not a file.' })
    }
    await takeEvent(ctx, principal, {
      type: body.event_type,
      class: body.event_class,
      title: body.event_title,
      text: body.event_text,
      infoUrl: body.info_url,
      picture: body.snapshot?.bytes ?? null,
    })
    return { result: 'ok' as const }
  })

  fileRoutes(app, ctx)
}

function fileRoutes(app: FastifyInstance, ctx: Ctx): void {
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
