import * as api from '@vigil/contract/people/apps.ts'
import { text } from '@vigil/contract/values.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { BadPicture } from '../../../engines/inference/port.ts'
import { isUpload } from '../../../http/bodies.ts'
import { AppError } from '../../../http/errors.ts'
import { appOf } from '../../../http/platform.ts'
import { route } from '../../../http/route.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { predict } from '../../watch/detection/index.ts'
import * as service from './printers.service.ts'

const filename = text(1000).trim().min(1)

/** Refusals of these routes are plain texts, not lists (docs/wire/rest.md 3). */
const refuse = (field: string, message: string) => new AppError(400, { [field]: message })

/** What apps need that manage a printer without an agent, and old apps' commands by GET (docs/wire/rest.md 6). */
export function appRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.startPrint, async ({ principal, edge, params, body }) => {
    const name = filename.safeParse(body.filename)
    if (!name.success) {
      const isMissing = body.filename === undefined || body.filename === ''
      throw refuse('filename', isMissing ? 'This field is required.' : 'Not a valid file name.')
    }
    return await service.startPrint(ctx, { principal, edge }, params.id, name.data)
  })

  route(app, api.finishPrint, async ({ principal, edge, params, body }) => {
    const status = body.status ?? 'success'
    if (status !== 'success' && status !== 'cancelled') throw refuse('status', 'Not success or cancelled.')
    const outcome = status === 'success' ? 'finished' : 'cancelled'
    return await service.finishPrint(ctx, { principal, edge }, params.id, outcome)
  })

  route(app, api.predict, async ({ principal, params, body }) => {
    const printer = await requirePrinter(ctx, principal, params.id, 'control')
    if (!isUpload(body.img)) throw refuse('img', 'The submitted data was not a file.')
    const result = await predict(ctx, printer, body.img.bytes).catch((error: unknown) => {
      const isBad = error instanceof BadPicture || (error instanceof AppError && error.status === 400)
      throw isBad ? refuse('img', 'Upload a valid image.') : error
    })
    return { result }
  })

  for (const cmd of ['pause', 'resume', 'cancel'] as const) {
    route(app, api.legacyCommands[cmd], async ({ principal, edge, params, request }) => {
      gateLegacy(request)
      return await service.command(ctx, { principal, edge }, params, cmd)
    })
  }
  route(app, api.legacyMute, async ({ principal, edge, params, query, request }) => {
    gateLegacy(request)
    return await service.muteCurrentPrint(ctx, { principal, edge }, params, query.mute_alert === 'true')
  })
  route(app, api.legacyAcknowledge, async ({ principal, edge, params, query, request }) => {
    gateLegacy(request)
    return await service.acknowledgeAlert(ctx, { principal, edge }, params, query.alert_overwrite ?? null)
  })
}

/**
 * A GET that does something can be had from any page's picture tag: only token holders and the mobile app, which
 * names itself as no page can make a browser do (docs/wire/rest.md 6; docs/wire/browsers.md 5). Everyone else is told 405.
 */
function gateLegacy(request: FastifyRequest): void {
  const { method, principal } = request
  const isApp = appOf(request) !== null
  const isToken = principal.kind === 'user' && principal.via !== 'session'
  if (method === 'GET' && (isToken || isApp)) return
  throw new AppError(405, { detail: `Method "${method}" not allowed.` }, { allow: 'POST' })
}
