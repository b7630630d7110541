import {
  getOwnPrinterExt,
  getPrinterExt,
  patchPrinterExt,
  type PrinterExt,
} from '@vigil/contract/first-layer.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { notFound } from '../../http/errors.ts'
import type { PrinterPrincipal, UserPrincipal } from '../../http/principal.ts'
import { route } from '../../http/route.ts'
import type { PrinterAction } from '../access/index.ts'
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

async function extFor(ctx: Ctx, principal: Asker, action: PrinterAction, printerId: number): Promise<ExtRow> {
  const row = await findExt(ctx.db, { principal, action }, printerId)
  if (row === undefined) throw notFound()
  return row
}

/** Nozzle-camera settings: the owner writes them, the agent reads them at its start (docs/wire/agents.md 3.5). */
export function extRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, getPrinterExt, async ({ principal, params }) =>
    presentExt(await extFor(ctx, principal, 'see', params.id), principal),
  )
  route(app, getOwnPrinterExt, async ({ principal }) =>
    presentExt(await extFor(ctx, principal, 'see', principal.printerId), principal),
  )
  route(app, patchPrinterExt, async ({ principal, params, body }) => {
    const before = await extFor(ctx, principal, 'edit', params.id)
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
    const row = Object.keys(change).length === 0 ? before : await writeExt(ctx.db, params.id, change)
    return presentExt(row, principal)
  })
}
