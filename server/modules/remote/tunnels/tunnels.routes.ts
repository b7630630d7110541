import * as api from '@vigil/contract/remote/tunnels.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { forbidden, notFound, unavailable } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { route } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { getPrinter } from '../../printers/printers/index.ts'
import { originOf } from '../origins/pass.service.ts'
import * as grants from '../grants/grants.service.ts'
import type { AppTunnel } from '../grants/tunnels.queries.ts'
import { usageOf } from '../grants/usage.service.ts'

/** Who asks, and how they reached us. */
interface Asker {
  readonly principal: UserPrincipal
  readonly edge: Edge
}

/** Tunnels as the wire has them, each with its printer in full. */
async function present(ctx: Ctx, asker: Asker, rows: readonly AppTunnel[]): Promise<api.Tunnel[]> {
  const ids = [...new Set(rows.map(({ printerId }) => printerId))]
  const printers = await Promise.all(ids.map((id) => getPrinter(ctx, { ...asker, withArchived: true }, id)))
  const byId = new Map(printers.map((printer) => [printer.id, printer]))
  return rows.flatMap((row) => {
    const printer = byId.get(row.printerId)
    if (printer === undefined) return []
    return {
      id: row.id,
      app: row.app,
      printer,
      subdomain_code: row.code,
      port: row.port,
      basicauth_username: row.username,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
      last_used_at: row.lastUsedAt?.toISOString() ?? null,
    }
  })
}

/** Lets an app reach a printer's page; its address holds the name and password, this once. */
async function create(
  ctx: Ctx,
  { principal, body, request }: { principal: UserPrincipal; request: FastifyRequest; body: NewTunnel },
): Promise<string> {
  const app = body.app_name
  if (grants.isReserved(ctx, app)) throw forbidden(text('tunnels-server', 'reserved'))
  const printer = await requirePrinter(ctx, principal, body.target_printer_id, 'control', { isOwn: true })
  const made = await grants.createAppTunnel(ctx, printer, app).catch((error: unknown) => {
    throw error instanceof grants.NoTunnelLeft ? unavailable(text('tunnels-server', 'noneLeft')) : error
  })
  const origin = originOf(ctx, made.tunnel, request.edge, request.headers['user-agent'])
  if (origin === null) {
    await grants.revokeTunnel(ctx, printer, made.tunnel.id)
    throw unavailable(text('tunnels-server', 'noWay'))
  }
  return origin.replace('://', `://${made.user}:${made.password}@`)
}

interface NewTunnel {
  readonly app_name: string
  readonly target_printer_id: number
}

/** Apps that may reach printers, and what was carried (docs/wire/remote.md). */
export function tunnelRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.listTunnels, async (call) =>
    present(ctx, call, await grants.listAppTunnels(ctx, call.principal.userId)),
  )
  route(app, api.getTunnel, async (call) => {
    const row = await grants.requireAppTunnel(ctx, call.principal.userId, call.params.id)
    const [tunnel] = await present(ctx, call, [row])
    if (tunnel === undefined) throw notFound()
    return tunnel
  })
  route(app, api.createTunnel, async (call) => ({ tunnel_endpoint: await create(ctx, call) }))
  route(app, api.deleteTunnel, async ({ principal, params }) => {
    const tunnel = await grants.requireAppTunnel(ctx, principal.userId, params.id)
    const printer = await requirePrinter(ctx, principal, tunnel.printerId, 'control', {
      withArchived: true,
      isOwn: true,
    })
    await grants.revokeAppTunnel(ctx, printer, tunnel)
    return null
  })
  route(app, api.getTunnelUsage, ({ principal }) => usageOf(ctx, principal.userId))
}
