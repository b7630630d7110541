import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Html } from '../lib/html.ts'
import { styleHashes, withStyles } from './headers.ts'
import type { Door } from './principal.ts'
import { authorize, redirectToSlash } from './route.ts'

/** A page that the server draws by itself: it works in any web view, and says 404 where there is nothing. */
interface ServerPage {
  readonly method?: 'GET' | 'POST'
  readonly path: `/${string}/`
  readonly callers: readonly Door[]
  /** Answers without the slash, too, and not by a way to it: programs that follow nothing ask here. */
  readonly isBareToo?: boolean
}

/** A few words typed into a form. */
const FORM_LIMIT = 16_384

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<Html | FastifyReply>

/** Serves such a page. It is never kept by browsers: what stands in it is of who asks. */
export function serverPage(
  app: FastifyInstance,
  { method = 'GET', path, callers, isBareToo = method !== 'GET' }: ServerPage,
  handler: Handler,
): void {
  app.routeTable.push({ kind: 'page', method, path, callers })
  const onRequest = async (request: FastifyRequest) => authorize(request.principal, callers)
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store')
    const drawn = await handler(request, reply)
    if (!(drawn instanceof Html)) return drawn
    const policy = String(reply.getHeader('content-security-policy'))
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', withStyles(policy, styleHashes(drawn.markup)))
      .send(drawn.markup)
  }
  const both = {
    method,
    onRequest,
    handler: answer,
    config: { form: method === 'POST' },
    bodyLimit: FORM_LIMIT,
  }
  app.route({ ...both, url: path })
  const bare = path.slice(0, -1)
  if (isBareToo) app.route({ ...both, url: bare })
  else app.route({ method, url: bare, config: { open: true }, handler: redirectToSlash })
}
