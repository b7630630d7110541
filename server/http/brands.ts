import { fieldsOf } from '@vigil/contract/fields.ts'
import send from '@fastify/send'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountBrand, type Brand, shownBrand } from '../brands/brands.ts'
import type { Ctx } from '../ctx.ts'
import { giveCookie } from './cookies.ts'
import { notFound } from './errors.ts'

const HEADER = 'x-obico-syndicate'
const COOKIE = 'tsd_syndicate'

/** Pictures of a brand; `scripts/brand-icons.ts` makes the PNGs from the mark. */
const PICTURES = new Set(['mark.svg', 'icon-192.png', 'icon-512.png', 'maskable-512.png'])

/** The ground of the page in each theme, as in web/src/app/tokens.ts. */
const GROUND = { light: '#f6f5f2', dark: '#0f1115' } as const

function wishOf({ headers, cookies, edge }: FastifyRequest) {
  const said = headers[HEADER]
  return {
    userAgent: headers['user-agent'],
    named: (typeof said === 'string' ? said : '') || cookies[COOKIE],
    host: edge.origin.replace(/^https?:\/\//, ''),
  }
}

/** The brand that this caller sees (docs/wire/rest.md 8). */
export function brandOf(request: FastifyRequest, { config }: Pick<Ctx, 'config'>): Brand {
  const { principal } = request
  const user = principal.kind === 'user' ? principal.brand : undefined
  return shownBrand(config.brands, { ...wishOf(request), user })
}

/** The brand whose accounts a password or an address is for. */
export function accountBrandOf(request: FastifyRequest, { config }: Pick<Ctx, 'config'>): Brand {
  return accountBrand(config.brands, wishOf(request))
}

/** An app names its brand with the page alone: what the page then asks for carries it as a cookie. */
export function rememberBrand(request: FastifyRequest, reply: FastifyReply, { config }: Ctx): void {
  const said = request.headers[HEADER]
  const brand = config.brands.find(({ name }) => name === said)
  if (brand === undefined || request.cookies[COOKIE] === said) return
  giveCookie(reply, request.edge, { name: COOKIE, value: brand.name })
}

/** Logo, icons and manifest of each brand; the same for everyone who asks. */
export function registerBrands(app: FastifyInstance, { config }: Ctx): void {
  const named = ({ params }: FastifyRequest) => {
    const asked = fieldsOf(params)['name']
    const found = config.brands.find(({ name }) => name === asked)
    if (found === undefined) throw notFound()
    return found
  }
  const page = (path: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown) => {
    app.routeTable.push({ kind: 'page', method: 'GET', path, callers: ['anyone'] })
    app.get(path, { config: { open: true } }, async (request, reply) => handler(request, reply))
  }
  page('/brands/:name/manifest.webmanifest', (request, reply) =>
    reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(JSON.stringify(manifestOf(named(request), request))),
  )
  page('/brands/:name/:file', async (request, reply) => {
    const { folder } = named(request)
    const { file } = fieldsOf(request.params)
    if (typeof file !== 'string' || !PICTURES.has(file)) throw notFound()
    const found = await send(request.raw, `/${file}`, { root: folder, index: false, maxAge: '1h' })
    if (found.type !== 'file') throw notFound()
    return reply.status(found.statusCode).headers(found.headers).send(found.stream)
  })
}

/** What a browser needs to install the client as an app, in the colours of `?theme=`. */
function manifestOf(brand: Brand, { query, edge }: FastifyRequest): object {
  const asked = fieldsOf(query)['theme'] === 'dark' ? 'dark' : 'light'
  const ground = GROUND[brand.theme ?? asked]
  const home = `${edge.prefix}/`
  const icon = (file: string, size: number, purpose: 'any' | 'maskable') => ({
    src: `${home}brands/${brand.name}/${file}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  return {
    id: home,
    name: brand.display_name,
    short_name: brand.display_name,
    start_url: home,
    scope: home,
    display: 'standalone',
    theme_color: ground,
    background_color: ground,
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('maskable-512.png', 512, 'maskable'),
    ],
  }
}
