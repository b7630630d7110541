import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import send from '@fastify/send'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../ctx.ts'
import { languageOf } from './route.ts'

/** Where `npm run build` puts the web client. */
const BUILT = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/** Places where an unknown path is an unknown thing, not a page of the client. */
const NOT_PAGES = /^\/(api|ws|media|hc|assets|ent\/(partners\/)?api|jusprin\/api)(\/|$)/

const MISSING = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><base href="/"><title>Vigil</title></head>
<body><h1>Vigil is running</h1><p>The web client has not been built yet: run <code>./vigil up</code>.</p></body></html>
`

interface Page {
  readonly html: string
  readonly builtAt: number
}

/** Reads index.html again only when a new one was built. */
function createIndex(folder: string): () => Promise<string> {
  const path = join(folder, 'index.html')
  let page: Page | null = null
  return async () => {
    const found = await stat(path).catch(() => null)
    if (found === null) return MISSING
    if (page?.builtAt !== found.mtimeMs) page = { html: await readFile(path, 'utf8'), builtAt: found.mtimeMs }
    return page.html
  }
}

/** Prefix and language are known to be harmless words: they need no escaping. */
const adapted = (html: string, prefix: string, language: string) =>
  html
    .replace(/<base href="[^"]*"/, `<base href="${prefix}/"`)
    .replace(/<html([^>]*?) lang="[^"]*"/, `<html$1 lang="${language}"`)

/**
 * Serves the web client: its files, and its page for every other path, so that a link into the client works
 * (issue 3, part 1). Unknown paths of the API stay 404.
 */
export function registerPages(app: FastifyInstance, _ctx: Ctx, folder = BUILT): void {
  const index = createIndex(folder)
  app.routeTable.push({ kind: 'page', method: 'GET', path: '/*', callers: ['anyone'] })
  app.get('/*', { config: { open: true } }, async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const isFile = /\.\w+$/.test(path) && path !== '/index.html'
    if (isFile && (await sendFile(folder, path, request, reply))) return reply
    const isPage =
      !NOT_PAGES.test(path) &&
      (request.headers.accept === undefined || /text\/html|\*\/\*/.test(request.headers.accept))
    if (!isPage) return reply.callNotFound()
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language, cookie')
      .send(adapted(await index(), request.edge.prefix, languageOf(request)))
  })
}

/** Sends a built file; false when there is none. Names with a hash never change. */
async function sendFile(
  folder: string,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const isHashed = /^\/assets\/.*-[\w-]{8,}\.\w+$/.test(path)
  const found = await send(request.raw, path, {
    root: folder,
    index: false,
    dotfiles: 'ignore',
    ...(isHashed ? { maxAge: '365d', immutable: true } : { maxAge: 0 }),
  })
  if (found.type !== 'file') return false
  await reply.status(found.statusCode).headers(found.headers).send(found.stream)
  return true
}
