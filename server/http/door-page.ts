import type { FastifyRequest } from 'fastify'
import type { Brand } from '../brands/brands.ts'
import type { Ctx } from '../ctx.ts'
import { Html, html } from '../lib/html.ts'
import { brandOf } from './brands.ts'
import { languageOf } from './route.ts'
import type { Language } from './texts.ts'

const SHEET = new Html(`
:root{color-scheme:light dark;--page:#f6f5f2;--surface:#fff;--line:#e4e1da;--ink:#1b1d22;--soft:#5d6370;--bad:#c62f36;--bad-soft:#fde7e7}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--page:#0f1115;--surface:#171a20;--line:#2a2f39;--ink:#eceef2;--soft:#a5acb9;--bad:#ff8c8f;--bad-soft:#43191c}}
:root[data-theme=dark]{color-scheme:dark;--page:#0f1115;--surface:#171a20;--line:#2a2f39;--ink:#eceef2;--soft:#a5acb9;--bad:#ff8c8f;--bad-soft:#43191c}
:root[data-theme=light]{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px 12vh;background:var(--page);color:var(--ink);font:14px/1.5 'Inter Variable',-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',sans-serif}
main{width:100%;max-width:380px;display:grid;justify-items:center;gap:20px}
main.wide{max-width:560px}
section img{display:block;width:100%;margin-top:16px;border-radius:8px;background:var(--page)}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 16px;margin:16px 0 0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
dl.bill{grid-template-columns:1fr auto}
dl.bill dd{white-space:nowrap;text-align:right;font-variant-numeric:tabular-nums}
.acts{display:grid;gap:10px;margin-top:18px}
.acts form{margin:0}
a.button{display:grid;place-items:center;height:42px;border-radius:8px;background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none}
button.quiet,a.quiet{background:transparent;border:1px solid var(--line);color:var(--ink)}
.brand{display:flex;align-items:center;gap:9px;font-size:18px;font-weight:650}
.brand i{width:26px;height:26px;background:var(--accent);-webkit-mask:var(--mark) center/contain no-repeat;mask:var(--mark) center/contain no-repeat}
section{width:100%;background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:26px 26px 28px}
h1{margin:0;font-size:20px;font-weight:650}
p{margin:6px 0 0;color:var(--soft);overflow-wrap:anywhere}
form,.form{display:grid;gap:14px;margin-top:18px}
.pair{grid-template-columns:1fr 1fr}
ul{margin:14px 0 0;padding-left:20px;display:grid;gap:6px}
label{display:grid;gap:5px;font-weight:500}
label.check{grid-template-columns:auto 1fr;align-items:center;gap:9px;font-weight:400}
input:not([type=checkbox],[type=radio]){width:100%;height:40px;padding:0 12px;border:1px solid var(--line);border-radius:8px;background:var(--page);color:var(--ink);font-family:inherit;font-size:16px}
input:focus-visible,button:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
button{height:42px;border:0;border-radius:8px;background:var(--accent);color:var(--on-accent);font-family:inherit;font-size:14px;font-weight:600;cursor:pointer}
button.quiet{background:transparent;color:var(--ink);box-shadow:inset 0 0 0 1px var(--line)}
a{color:var(--accent)}
small{color:var(--bad);font-weight:400}
.foot{margin-top:16px}
.bad{margin-top:16px;padding:10px 12px;border-radius:8px;background:var(--bad-soft);color:var(--bad)}
`)

/** The quiet frame of these pages, in the look of sign-in. */
export function doorPage(
  request: FastifyRequest,
  ctx: Ctx,
  { title, body, isWide = false }: { title: string; body: Html; isWide?: boolean },
): Html {
  const brand = brandOf(request, ctx)
  const mark = `${request.edge.prefix}/brands/${brand.name}/mark.svg`
  return drawDoor({ brand, mark, language: languageOf(request), title, body, isWide })
}

interface DoorPage {
  readonly brand: Brand
  /** Address of its mark. */
  readonly mark: string
  readonly language: Language
  readonly title: string
  readonly body: Html
  readonly isWide?: boolean
  /** Stands in the page's head. */
  readonly head?: Html
}

/** The same for who answers without a route of ours. */
export function drawDoor({ brand, mark, language, title, body, isWide = false, head }: DoorPage): Html {
  const { light, dark } = brand.colors ?? {}
  const accents = new Html(
    `:root{--mark:url("${mark}");--accent:${light?.accent ?? '#4053d6'};--on-accent:${light?.on_accent ?? '#ffffff'}}` +
      darkened(`--accent:${dark?.accent ?? '#8c9bff'};--on-accent:${dark?.on_accent ?? '#0f1115'}`),
  )
  return html`<!doctype html>
    <html lang="${language}" ${brand.theme && html` data-theme="${brand.theme}"`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${head}
        <title>${title} · ${brand.display_name}</title>
        <style>
          ${SHEET}${accents}
        </style>
      </head>
      <body>
        <main class="${isWide ? 'wide' : ''}">
          <div class="brand"><i></i>${brand.display_name}</div>
          <section>
            <h1>${title}</h1>
            ${body}
          </section>
        </main>
      </body>
    </html> `
}

const darkened = (rules: string) =>
  `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${rules}}}:root[data-theme=dark]{${rules}}`
