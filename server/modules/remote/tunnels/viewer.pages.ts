import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { refuseActing } from '../../../http/acting.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { styleHashes, withStyles } from '../../../http/headers.ts'
import { serverPage } from '../../../http/page.ts'
import { allowOnPage } from '../../../http/pages.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { requirePrinter } from '../../core/access/index.ts'
import { entranceTo, originOf } from '../origins/pass.service.ts'
import { statusOf, tell } from '../doors/trouble.pages.ts'
import { internalTunnel, NoTunnelLeft } from '../grants/grants.service.ts'
import type { TunnelRow } from '../grants/tunnels.queries.ts'

const ASKS = /^\/tunnels\/new\/?$/
const ENTRY = /^\/octoprint\/(\d{1,10})\/?$/
const VIEWER = /^\/tunnels?\/(\d{1,9})\/?$/

/** The way from the app into a printer's own page, and what the pages around it may frame (docs/wire/remote.md 2). */
export function viewerPages(app: FastifyInstance, ctx: Ctx): void {
  // What is asked there is nobody's to click but the person's.
  allowOnPage(app, ASKS, () => ({ isNeverFramed: true }))
  allowOnPage(app, VIEWER, (request) => frameOf(ctx, request))
  const entry = { path: '/octoprint/:id/', callers: ['anyone'], isBareToo: true } as const
  serverPage(app, entry, async (request, reply) => {
    const { principal, edge } = request
    refuseActing(principal)
    if (principal.kind !== 'user' || principal.sessionId === null) return toSignIn(request, reply)
    const tunnel = await tunnelFor(ctx, principal, idIn(ENTRY, request))
    const visit = { principal, edge, userAgent: request.headers['user-agent'] }
    const entrance = tunnel && (await entranceTo(ctx, tunnel, visit))
    return entrance === null ? noWay(ctx, request, reply) : reply.redirect(entrance, 302)
  })
}

/** The printer's number in the path; NaN when there is none. */
const idIn = (form: RegExp, { url }: FastifyRequest) => Number(form.exec(url.split('?', 1)[0] ?? '')?.[1])

/** The tunnel of the caller's printer; null when none is left. Raises 404 for any other printer. */
async function tunnelFor(ctx: Ctx, principal: UserPrincipal, id: number): Promise<TunnelRow | null> {
  if (!Number.isSafeInteger(id) || id <= 0 || id > 2_147_483_647) throw notFound()
  const printer = await requirePrinter(ctx, principal, id, 'control', { isOwn: true })
  try {
    return await internalTunnel(ctx, printer)
  } catch (error) {
    if (error instanceof NoTunnelLeft) return null
    throw error
  }
}

/** The viewer shows one origin beside ours, that of its printer's tunnel. A page comes in any case. */
async function frameOf(ctx: Ctx, request: FastifyRequest) {
  const { principal, edge, headers } = request
  if (principal.kind !== 'user') return {}
  try {
    const tunnel = await tunnelFor(ctx, principal, idIn(VIEWER, request))
    const origin = tunnel && originOf(ctx, tunnel, edge, headers['user-agent'])
    return origin === null ? {} : { origins: [origin] }
  } catch (error) {
    if (!(error instanceof AppError)) ctx.log.warn({ err: error }, 'a viewer may not frame its tunnel')
    return {}
  }
}

function toSignIn({ edge, url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const query = new URLSearchParams({ next: `${edge.prefix}${url}` }).toString()
  return reply.redirect(`${edge.prefix}/accounts/login/?${query}`, 302)
}

/** No port is left, or no address leads there: 484, as clients know it. */
function noWay(ctx: Ctx, { headers, edge }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { host } = new URL(edge.origin)
  const told = tell(ctx, 'none', { headers, host, opener: null })
  const policy = withStyles(String(reply.getHeader('content-security-policy')), styleHashes(told.body))
  return reply
    .status(statusOf('none'))
    .headers({ ...told.headers, 'content-security-policy': policy })
    .send(told.body)
}
