import {
  getAgentPrinter,
  pingAgentPrinter,
  postPrinterEvent,
  renameAgentPrinter,
  type AgentPrinterReply,
} from '@vigil/contract/core/agents.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { isUpload } from '../../../http/bodies.ts'
import { invalid } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import type { AgentPrinter } from '../statuses/reports.queries.ts'
import { agentPrinterOf, rename, takeEvent } from './reports.service.ts'

/** HTTP calls of agents (docs/wire/agents.md 3); pictures, files and linking are other features'. */
export function reportRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, getAgentPrinter, async ({ principal }) =>
    presentAgentPrinter(await agentPrinterOf(ctx, principal.printerId)),
  )
  route(app, pingAgentPrinter, async ({ principal }) =>
    presentAgentPrinter(await agentPrinterOf(ctx, principal.printerId)),
  )
  route(app, renameAgentPrinter, async ({ principal, body }) =>
    presentAgentPrinter(await rename(ctx, principal, body.name)),
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
      notify: body.notify,
    })
    return { result: 'ok' as const }
  })
}

/** What an agent learns at start; `id` is a truthy number, or OctoPrint's agent stays silent (docs/wire/agents.md 3.1). */
function presentAgentPrinter({ id, name, isPro, retractOnPause }: AgentPrinter): AgentPrinterReply {
  return { user: { is_pro: isPro }, printer: { is_pro: isPro, id, name, retract_on_pause: retractOnPause } }
}
