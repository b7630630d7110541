import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import send from '@fastify/send'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../ctx.ts'
import { escaped } from '../lib/html.ts'
import { brandOf, registerBrands, rememberBrand } from './brands.ts'
import { type Allowance, contentPolicy, openerPolicy, styleHashes } from './headers.ts'
import { platformOf } from './platform.ts'
import type { Principal, UserPrincipal } from './principal.ts'
import { languageOf } from './route.ts'

/** Where `npm run build` puts the web client. */
const BUILT = fileURLToPath(new URL('../../web/dist/', import.meta.url))

declare module 'fastify' {
  interface FastifyInstance {
    /** What single pages may do beyond all others. */
    pageAllowances: PageAllowance[]
    /** What is done when somebody opens a page. */
    pageVisits: PageVisit[]
    /**
     * Answers with the client's page: for a route that stands before it, and has nothing to do this time. `file`: another
     * page of the build, that stands alone.
     */
    showPage: (request: FastifyRequest, reply: FastifyReply, file?: OwnPage) => Promise<FastifyReply>
  }
}

/** Pages of the build that stand alone. */
export type OwnPage = 'embedded.html' | 'host.html'

interface PageVisit {
  readonly page: RegExp
  readonly visit: (visitor: UserPrincipal) => Promise<void>
}

/** Does something when a person who is signed in opens a page whose path matches; the page does not wait for it. */
export function onPage(app: FastifyInstance, page: RegExp, visit: PageVisit['visit']): void {
  app.pageVisits.push({ page, visit })
}

interface PageAllowance {
  readonly page: RegExp
  readonly allow: (request: FastifyRequest) => Allowance | Promise<Allowance>
}

/**
 * Lets the pages of the client whose path matches do more than others: compile WebAssembly, or talk with an origin that
 * is not ours. A browser holds to the policy of the page that it has loaded: lead there by a real load (`<a>` with
 * `reloadDocument`), not by the router, and from there again so that the next page has its own.
 */
export function allowOnPage(app: FastifyInstance, page: RegExp, allow: PageAllowance['allow']): void {
  app.pageAllowances.push({ page, allow })
}

/** A page that stands elsewhere now: whoever asks for it is sent there for good, with what was asked. */
export function movedPage(app: FastifyInstance, from: `/${string}/`, to: `/${string}/`): void {
  app.routeTable.push({ kind: 'page', method: 'GET', path: from, callers: ['anyone'] })
  for (const path of [from, from.slice(0, -1)])
    app.get(path, { config: { open: true } }, (request, reply) =>
      reply.redirect(`${request.edge.prefix}${to}${new URL(request.url, 'http://x').search}`, 301),
    )
}

/** A page of old under the address of the one that took its place; a form that is sent there is led on to it, and nothing of it is read. */
export function oldPage(app: FastifyInstance, from: `/${string}/`, to: `/${string}/`): void {
  movedPage(app, from, to)
  app.routeTable.push({ kind: 'page', method: 'POST', path: from, callers: ['anyone'] })
  app.post(from, { config: { open: true, form: true }, bodyLimit: 16_384 }, (request, reply) =>
    reply.redirect(`${request.edge.prefix}${to}`, 303),
  )
}

/** Places where an unknown path is an unknown thing, not a page of the client: apps ask there, and expect JSON. */
const NOT_PAGES =
  /^\/(api|ws|media|hc|metrics|assets|brands|ent\/(partners\/)?api|jusprin\/api|mobile\/auth|o)(\/|$)/

/** The page that a browser keeps for when there is no connection. */
const OFFLINE = '/offline.html'

const MISSING = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><base href="/"><title>Vigil</title></head>
<body><h1>Vigil is running</h1><p>The web client has not been built yet: run <code>./vigil up</code>.</p></body></html>
`

interface Page {
  readonly html: string
  /** Of the scripts that stand in it, as its Content-Security-Policy names them. */
  readonly hashes: readonly string[]
  readonly styles: readonly string[]
  readonly builtAt: number
}

function hashesOf(html: string): string[] {
  // oxlint-disable-next-line house/bounded -- the page is our own
  return [...html.matchAll(/<script>([^<]*)<\/script>/g)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  )
}

/** Reads a page again only when a new one was built. */
function createPage(path: string): () => Promise<Omit<Page, 'builtAt'>> {
  let page: Page | null = null
  return async () => {
    const found = await stat(path).catch(() => null)
    if (found === null) return { html: MISSING, hashes: [], styles: [] }
    if (page?.builtAt !== found.mtimeMs) {
      const html = await readFile(path, 'utf8')
      page = { html, hashes: hashesOf(html), styles: styleHashes(html), builtAt: found.mtimeMs }
    }
    return page
  }
}

/**
 * What the first paint needs to know, written into the page: prefix, language, brand, the only theme there is, the
 * app around us. All but the brand's display name are known to be harmless words.
 */
function adapted(html: string, request: FastifyRequest, ctx: Ctx): string {
  const { name, display_name: title, theme } = brandOf(request, ctx)
  const platform = platformOf(request)
  const facts = [
    theme && ` data-theme="${theme}"`,
    platform && ` data-platform="${platform}"`,
    request.principal.kind === 'user' && ' data-member',
  ]
    .filter(Boolean)
    .join('')
  return html
    .replace(/<base href="[^"]{0,200}"/, `<base href="${request.edge.prefix}/"`)
    .replace(/<html([^>]{0,200}?) lang="[^"]{0,20}"/, `<html$1 lang="${languageOf(request)}"${facts}`)
    .replace(/<title>[^<]{0,200}/, () => `<title>${escaped(title)}`)
    .replace('<body>', `<body data-tenant="${name}">`)
    .replaceAll('/brands/base/', `/brands/${name}/`)
}

/**
 * Serves the web client: its files, and its page for every other path, so that a link into the client works
 * (docs/architecture.md). Unknown paths of the API stay 404.
 */
export function registerPages(app: FastifyInstance, ctx: Ctx, folder = BUILT): void {
  const index = createPage(join(folder, 'index.html'))
  const offline = createPage(join(folder, OFFLINE))
  const own = {
    'embedded.html': createPage(join(folder, 'embedded.html')),
    'host.html': createPage(join(folder, 'host.html')),
  }
  registerBrands(app, ctx)
  app.showPage = async (request, reply, file) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    // The page that is kept knows nobody.
    if (path !== OFFLINE) request.principal = await app.whoIs(request)
    rememberBrand(request, reply, ctx)
    noteVisit(app, ctx, path, request.principal)
    const { html, hashes, styles } = await (file ? own[file]() : path === OFFLINE ? offline() : index())
    const nonce = randomBytes(16).toString('base64')
    const allowance = { scripts: hashes, styles: [...styles, `'nonce-${nonce}'`] }
    const allowed = await app.pageAllowances.find(({ page }) => page.test(path))?.allow(request)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentPolicy(ctx.config, { ...allowed, ...allowance }))
      .headers(openerPolicy(path, request.edge.origin))
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language, cookie')
      .send(
        adapted(html, request, ctx).replace('<head>', `<head><meta property="csp-nonce" nonce="${nonce}">`),
      )
  }
  app.routeTable.push({ kind: 'page', method: 'GET', path: '/*', callers: ['anyone'] })
  app.get('/*', { config: { open: true } }, async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    // A page stands at its route, or nowhere.
    const isFile = /\.\w{1,20}$/.test(path) && !path.endsWith('.html')
    if (isFile && (await sendFile(folder, path, request, reply))) return reply
    const isPage =
      !NOT_PAGES.test(path) &&
      (request.headers.accept === undefined || /text\/html|\*\/\*/.test(request.headers.accept))
    if (!isPage) return reply.callNotFound()
    return await app.showPage(request, reply)
  })
}

function noteVisit(app: FastifyInstance, ctx: Ctx, path: string, visitor: Principal): void {
  if (visitor.kind !== 'user') return
  for (const { page, visit } of app.pageVisits)
    if (page.test(path))
      visit(visitor).catch((error: unknown) => ctx.log.warn({ err: error }, 'a visit was not noted'))
}

/** What the build has compressed, best first (web/vite.config.ts). */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

function takes(accepted: string, coding: string): boolean {
  return accepted.split(',').some((one) => {
    const [name = '', quality = ''] = one.split(';')
    return name.trim() === coding && !/^\s*q=0(\.0*)?\s*$/.test(quality)
  })
}

/** Sends a built file, compressed if it is so at hand; false when there is none. Names with a hash never change. */
async function sendFile(
  folder: string,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const type = TYPES[extname(path)]
  const { 'accept-encoding': accepted, range } = request.headers
  if (type && path.startsWith('/assets/') && range === undefined)
    for (const [coding, suffix] of CODINGS.filter(([name]) => takes(String(accepted), name))) {
      const headers = { 'content-type': type, 'content-encoding': coding, vary: 'accept-encoding' }
      if (await sendAsIs(folder, path + suffix, request, reply, headers)) return true
    }
  return await sendAsIs(folder, path, request, reply)
}

async function sendAsIs(
  folder: string,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Record<string, string> = {},
): Promise<boolean> {
  const isHashed = path.startsWith('/assets/') && /-[\w-]{8}\.\w{1,10}(?:\.br|\.gz)?$/.test(path)
  const found = await send(request.raw, path, {
    root: folder,
    index: false,
    dotfiles: 'ignore',
    ...(isHashed ? { maxAge: '365d', immutable: true } : { maxAge: 0 }),
  })
  if (found.type !== 'file') return false
  await reply
    .status(found.statusCode)
    .headers({ ...found.headers, ...headers })
    .send(found.stream)
  return true
}
