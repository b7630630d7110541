import { fieldsOf } from '@vigil/contract/fields.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../http/errors.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import { serverPage } from '../../../http/page.ts'
import type { Html } from '../../../lib/html.ts'
import { alertLinkOf } from '../../tell/notifications/index.ts'
import { act, type Act, ACTS } from './acts.service.ts'
import { askPage, donePage, gonePage, lookPage, type Visited } from './pages.ts'
import { findStanding } from './standing.queries.ts'

const LOOK = '/alerts/:token/'
const ACT = '/alerts/:token/:act/'
const LIMIT = { name: 'alert-links', tries: 120, windowMs: 60_000 }
const TOKEN = /^[\w-]{43}$/

/**
 * The links in messages about an alert: its picture, and pages that ask before anything is done, so that whoever opens links
 * for others does nothing by it. For an hour they need no sign-in (docs/wire/tell.md 8).
 */
export function registerAlertLinks(app: FastifyInstance, ctx: Ctx): void {
  serverPage(app, { path: LOOK, callers: ['anyone'] }, (request, reply) =>
    visited(ctx, request, reply, lookPage),
  )
  serverPage(app, { path: ACT, callers: ['anyone'] }, (request, reply) =>
    visited(ctx, request, reply, async (visit) => {
      const what = actIn(request)
      return what === null
        ? gonePage(visit, reply)
        : askPage(visit, what, await findStanding(ctx.db, visit.link))
    }),
  )
  serverPage(app, { method: 'POST', path: ACT, callers: ['anyone'] }, (request, reply) =>
    visited(ctx, request, reply, async (visit) => {
      const what = actIn(request)
      if (what === null) return gonePage(visit, reply)
      return donePage(visit, what, await act(ctx, visit.link, what))
    }),
  )
}

const actIn = ({ params }: FastifyRequest): Act | null => {
  const { act: word } = fieldsOf(params)
  return ACTS.find((one) => one === word) ?? null
}

/** Shows a page of a link to whoever may see it now; leads through sign-in otherwise. */
async function visited(
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  draw: (visit: Visited) => Promise<Html>,
): Promise<Html | FastifyReply> {
  const { principal, edge, params } = request
  reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
  await spend(ctx, ...byAddress(LIMIT, edge.address))
  const token = String(fieldsOf(params)['token'])
  const link = TOKEN.test(token) ? await alertLinkOf(ctx, token) : undefined
  if (link === undefined) return gonePage({ ctx, request }, reply)
  const isOpen = link.openUntil.getTime() > ctx.clock.now()
  const isSignedIn = principal.kind === 'user' && principal.via !== 'key'
  if (!isOpen && !isSignedIn) {
    const next = `${edge.prefix}${new URL(request.url, 'http://x').pathname}`
    return reply.redirect(`${edge.prefix}/accounts/login/?next=${encodeURIComponent(next)}`, 303)
  }
  if (!isOpen && isSignedIn && principal.userId !== link.userId) return gonePage({ ctx, request }, reply)
  try {
    return await draw({ ctx, request, link, token })
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return gonePage({ ctx, request }, reply)
    throw error
  }
}
