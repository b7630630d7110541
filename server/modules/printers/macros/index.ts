import { listMacros, runMacro } from '@vigil/contract/printers/macros.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { actorOf } from '../../../http/acting.ts'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { findMacros, type MacroRefusal, runOn } from './macros.service.ts'

/** Macros of Klipper: which there are, and one run, by the server, which looks whether something is printed. */
export function registerMacros(app: FastifyInstance, ctx: Ctx): void {
  route(app, listMacros, async ({ principal, params }) => {
    const found = await findMacros(ctx, await requirePrinter(ctx, principal, params.id, 'control'))
    if ('reason' in found) throw refused(found)
    return [...found]
  })
  route(app, runMacro, async ({ principal, params: { id }, body }) => {
    const printer = await requirePrinter(ctx, principal, id, 'control')
    const actor = principal.via === 'session' ? 'web' : 'api'
    const came = await runOn(ctx, { printer, ...body, by: { actor, userId: actorOf(principal) } })
    if ('reason' in came) throw refused(came)
    return came
  })
}

const refused = ({ reason, words = '' }: MacroRefusal) =>
  new AppError(409, { detail: text('macros-server', reason, { words }), reason })
