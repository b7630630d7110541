import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { contentPolicy } from '../../../http/headers.ts'
import { serverPage } from '../../../http/page.ts'
import { html, type Html } from '../../../lib/html.ts'
import { findReader } from './mail.queries.ts'
import { drawFor } from './mail.service.ts'
import { allTemplates, templateNamed } from './mail.templates.ts'

const LANGUAGES = ['en', 'zh'] as const
/** Stands where a letter shows a picture that goes with it. */
const PICTURE = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="504" height="284"><rect width="504" height="284" fill="#15171b"/><path d="M150 220h204l-40-90h-60l-30-40z" fill="#8c9bff"/></svg>',
)}`

/** Administrators may look; where the client is developed, whoever is signed in. */
async function admit(ctx: Ctx, { principal }: FastifyRequest): Promise<void> {
  if (ctx.config.NODE_ENV === 'development') return
  const reader = principal.kind === 'user' ? await findReader(ctx.db, principal.userId) : undefined
  if (reader?.isStaff !== true) throw notFound()
}

/** `/dev/mail/`: every kind of letter with its samples, in each language and brand, as it is drawn. */
export function registerPreviews(app: FastifyInstance, ctx: Ctx): void {
  serverPage(app, { path: '/dev/mail/', callers: ['session'] }, async (request) => {
    await admit(ctx, request)
    return index(ctx, request.edge.prefix)
  })
  serverPage(app, { path: '/dev/mail/:name/:sample/', callers: ['session'] }, async (request, reply) => {
    await admit(ctx, request)
    const { name, sample } = request.params as { name: string; sample: string }
    const { lang, brand: wanted, part } = request.query as Record<string, string | undefined>
    const template = templateNamed(name)
    if (template === undefined || !Object.hasOwn(template.samples, sample)) throw notFound()
    const brand = ctx.config.brands.find((one) => one.name === wanted) ?? ctx.config.brands[0]
    const home = request.edge.origin + request.edge.prefix
    const drawn = drawFor(
      ctx,
      { template, data: template.samples[sample] },
      {
        language: lang === 'zh' ? 'zh' : 'en',
        brand,
        home,
        unsubscribe: template.list === undefined ? null : `${home}/unsubscribe_email/`,
      },
    )
    if (part === 'text')
      return reply.type('text/plain; charset=utf-8').send(`${drawn.subject}\n\n${drawn.text}`)
    // Letters are dressed by attributes, as mail programs want it.
    const policy = contentPolicy(ctx.config, { styles: ["'unsafe-inline'"], isNeverFramed: true })
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(drawn.html.replaceAll(/src="cid:[^"]{0,200}"/g, `src="${PICTURE}"`))
  })
}

function index({ config }: Ctx, prefix: string): Html {
  const link = (path: string, words: string) => html`<a href="${path}">${words}</a> `
  const rows = allTemplates().flatMap(({ name, samples, list }) =>
    Object.keys(samples).map((sample) => {
      const at = `${prefix}/dev/mail/${encodeURIComponent(name)}/${encodeURIComponent(sample)}/`
      const links = LANGUAGES.flatMap((lang) => [
        ...config.brands.map((brand) =>
          link(`${at}?lang=${lang}&brand=${brand.name}`, `${lang} ${brand.name}`),
        ),
        link(`${at}?lang=${lang}&part=text`, `${lang} text`),
      ])
      return html`<tr>
        <td>${name}</td>
        <td>${sample}</td>
        <td>${list ?? 'everybody'}</td>
        <td>${links}</td>
      </tr>`
    }),
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Letters</title>
        <meta name="color-scheme" content="light dark" />
        <style>
          body {
            font: 14px/1.6 sans-serif;
            margin: 24px;
          }
          td {
            padding: 4px 16px 4px 0;
            vertical-align: top;
          }
        </style>
      </head>
      <body>
        <h1>Letters</h1>
        <table>
          ${rows}
        </table>
      </body>
    </html>`
}
