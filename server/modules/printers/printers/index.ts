import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { PrinterWrite } from '@vigil/contract/printers/printers.ts'
import type { Ctx } from '../../../ctx.ts'
import type { PrinterPrincipal } from '../../../http/principal.ts'
import { findByToken } from '../../core/access/index.ts'
import { findOwnerId } from '../rows/printers.queries.ts'
import { printerRoutes } from './printers.routes.ts'
import { addPrinter as insert } from './printers.service.ts'
import { appRoutes } from './apps.routes.ts'
import { accountSockets } from '../account-line/account.sockets.ts'
import { webSockets } from '../live/printer.sockets.ts'

export type { PrinterRow } from '../../watch/printer-base/index.ts'
export { readFrame } from '../live/live.frames.ts'
export { presentPrinter } from '../rows/printers.present.ts'
export { findViews, updatePrinterRow, type PrinterView } from '../rows/printers.queries.ts'
export { newAuthToken } from '../rows/printers.rules.ts'
export { answer, order } from './orders.service.ts'
export { acknowledgeAlert, command, getPrinter } from './printers.service.ts'
export { ShownPrinter } from '../live/shown.ts'
export { insert as addPrinterTo }

/** Printers of their owners: REST and live. */
export function registerPrinters(app: FastifyInstance, ctx: Ctx): void {
  printerRoutes(app, ctx)
  appRoutes(app, ctx)
  webSockets(app, ctx)
  accountSockets(app, ctx)
}

/** A token is trusted this long without asking again; deletion and re-linking forget it at once. */
const TOKEN_TTL_MS = 5_000

/** Who stands behind an agent's token; agents call several times a second, so answers are kept shortly. */
export function printerCredentials(ctx: Ctx): {
  printerToken(token: string): Promise<PrinterPrincipal | null>
} {
  const known = new LRUCache<string, PrinterPrincipal>({ max: 10_000, ttl: TOKEN_TTL_MS })
  ctx.events.on('printer.deleted', ({ printerId }) => {
    for (const [token, principal] of known.entries())
      if (principal.printerId === printerId) known.delete(token)
  })
  return {
    async printerToken(token) {
      const cached = known.get(token)
      if (cached) return cached
      const row = await findByToken(ctx.db, token)
      if (row === undefined) return null
      const principal: PrinterPrincipal = { kind: 'printer', printerId: row.id, userId: row.userId }
      known.set(token, principal)
      return principal
    },
  }
}

/** The operator's `printer add`: raises an error when nobody has that e-mail. */
export async function addPrinter(
  ctx: Ctx,
  { ownerEmail, ...write }: { ownerEmail: string; name: string } & Partial<PrinterWrite>,
) {
  const userId = await findOwnerId(ctx.db, ownerEmail)
  if (userId === null) throw new Error(`there is no account ${ownerEmail}`)
  const { id, name: given, authToken } = await insert(ctx, { userId, write })
  return { id, name: given, auth_token: authToken }
}
