import * as api from '@vigil/contract/printers/zones.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { route } from '../../../http/route.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { tell } from '../../core/presence/index.ts'
import { updatePrinterRow } from '../printers/index.ts'

const rounded = (value: number) => Math.round(value * 10_000) / 10_000

/** Ignore zones: drawn by the owner, obeyed by the detector from the next picture on (docs/rules/pages.md 3). */
export function registerZones(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.getIgnoreZones, async ({ principal, params }) => {
    const { ignoreZones } = await requirePrinter(ctx, principal, params.id, 'see')
    return { zones: ignoreZones }
  })
  route(app, api.putIgnoreZones, async ({ principal, params, body }) => {
    const printer = await requirePrinter(ctx, principal, params.id, 'edit')
    const zones = body.zones.map((zone) => zone.map(({ x, y }) => ({ x: rounded(x), y: rounded(y) })))
    await updatePrinterRow(ctx.db, printer, { ignoreZones: JSON.stringify(zones) })
    tell(ctx, printer.id, 'changed')
    return { zones }
  })
}
