import * as api from '@vigil/contract/zones.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { notFound } from '../../http/errors.ts'
import type { UserPrincipal } from '../../http/principal.ts'
import { route } from '../../http/route.ts'
import { findViews, type PrinterRow, tellBrowsers, updatePrinterRow } from '../printers/index.ts'

const rounded = (value: number) => Math.round(value * 10_000) / 10_000

async function printerFor(
  ctx: Ctx,
  principal: UserPrincipal,
  action: 'see' | 'edit',
  printerId: number,
): Promise<PrinterRow> {
  const [view] = await findViews(ctx.db, { principal, action }, printerId)
  if (view === undefined) throw notFound()
  return view.printer
}

/** Ignore zones: drawn by the owner, obeyed by the detector from the next picture on (docs/rules/pages.md 3). */
export function registerZones(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.getIgnoreZones, async ({ principal, params }) => {
    const { ignoreZones } = await printerFor(ctx, principal, 'see', params.id)
    return { zones: ignoreZones }
  })
  route(app, api.putIgnoreZones, async ({ principal, params, body }) => {
    await printerFor(ctx, principal, 'edit', params.id)
    const zones = body.zones.map((zone) => zone.map(({ x, y }) => ({ x: rounded(x), y: rounded(y) })))
    await updatePrinterRow(ctx.db, params.id, { ignoreZones: JSON.stringify(zones) })
    tellBrowsers(ctx, params.id, 'changed')
    return { zones }
  })
}
