import {
  getOwnPrinterExt,
  getPrinterExt,
  patchPrinterExt,
  type PrinterExt,
} from '@vigil/contract/watch/first-layer.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { PrinterPrincipal, UserPrincipal } from '../../../http/principal.ts'
import { route } from '../../../http/route.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { type ExtChange, type ExtRow, findExt, writeExt } from './ext.queries.ts'

type Asker = UserPrincipal | PrinterPrincipal

function presentExt(row: ExtRow, { kind }: Asker): PrinterExt {
  return {
    ext: {
      printer: row.printerId,
      // Agents read text here, whatever it says (docs/wire/agents.md 3.5).
      nozzlecam_url: row.nozzlecamUrl ?? (kind === 'printer' ? '' : null),
      first_layer_scan_opted_in: row.firstLayerScanOptedIn,
      first_layer_scan_zhop: row.firstLayerScanZhop,
      first_layer_scan_retract: row.firstLayerScanRetract,
      first_layer_scan_retract_speed: row.firstLayerScanRetractSpeed,
      first_layer_scan_cooldown_temp: row.firstLayerScanCooldownTemp,
      updated_at: row.updatedAt.toISOString(),
    },
  }
}

/** Nozzle-camera settings: the owner writes them, the agent reads them at its start (docs/wire/agents.md 3.5). */
export function extRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, getPrinterExt, async ({ principal, params }) =>
    presentExt(await findExt(ctx.db, await requirePrinter(ctx, principal, params.id, 'see')), principal),
  )
  route(app, getOwnPrinterExt, async ({ principal }) =>
    presentExt(
      await findExt(ctx.db, await requirePrinter(ctx, principal, principal.printerId, 'see')),
      principal,
    ),
  )
  route(app, patchPrinterExt, async ({ principal, params, body }) => {
    const printer = await requirePrinter(ctx, principal, params.id, 'edit')
    const given = {
      ...(body.nozzlecam_url !== undefined && { nozzlecamUrl: body.nozzlecam_url || null }),
      firstLayerScanOptedIn: body.first_layer_scan_opted_in,
      firstLayerScanZhop: body.first_layer_scan_zhop,
      firstLayerScanRetract: body.first_layer_scan_retract,
      firstLayerScanRetractSpeed: body.first_layer_scan_retract_speed,
      firstLayerScanCooldownTemp: body.first_layer_scan_cooldown_temp,
    }
    const change = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as ExtChange
    const isEmpty = Object.keys(change).length === 0
    const row = await (isEmpty ? findExt(ctx.db, printer) : writeExt(ctx.db, printer, change))
    return presentExt(row, principal)
  })
}
