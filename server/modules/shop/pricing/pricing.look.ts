import type { Brand } from '../../../brands/brands.ts'
import { Html } from '../../../lib/html.ts'

const LIGHT = '--page:#f6f5f2;--surface:#fff;--line:#e4e1da;--ink:#1b1d22;--soft:#5d6370'
const DARK = '--page:#0f1115;--surface:#171a20;--line:#2a2f39;--ink:#eceef2;--soft:#a5acb9'

const RULES = `
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--page);color:var(--ink);font:14px/1.5 'Inter Variable',-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',sans-serif;font-variant-numeric:tabular-nums}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header{display:flex;flex-wrap:wrap;align-items:center;gap:8px 22px;padding:12px max(16px,calc(50vw - 590px));background:var(--surface);border-bottom:1px solid var(--line)}
header a{display:flex;align-items:center;min-height:44px;color:var(--soft);text-decoration:none}
header .brand{gap:9px;color:var(--ink);font-size:17px;font-weight:650}
.brand i{width:24px;height:24px;background:var(--accent);-webkit-mask:var(--mark) center/contain no-repeat;mask:var(--mark) center/contain no-repeat}
header .spring{flex:1}
main{max-width:1180px;margin:0 auto;padding:26px 16px 60px;display:grid;grid-template-columns:minmax(0,1fr) 348px;gap:16px;align-items:start}
@media (max-width:960px){main{grid-template-columns:minmax(0,1fr)}}
.top{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:12px;justify-content:space-between;align-items:end}
h1{margin:0;font-size:26px;font-weight:650;line-height:1.25}
h2{margin:0;font-size:15px;font-weight:650}
p{margin:4px 0 0}
.soft{color:var(--soft)}
.small{font-size:13px;font-weight:400;color:var(--soft)}
.card{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:20px}
.left{display:grid;gap:16px;min-width:0}
.toggle{display:flex;border:1px solid var(--line);border-radius:8px;background:var(--surface);overflow:hidden}
.toggle label{display:flex;align-items:center;gap:8px;min-height:44px;padding:0 16px;cursor:pointer}
.toggle label:has(:checked){background:var(--accent-soft);color:var(--accent);font-weight:600}
.toggle input{position:absolute;opacity:0}
.toggle label:has(:focus-visible){outline:2px solid var(--accent);outline-offset:-2px}
.tag{padding:1px 8px;border-radius:9px;background:var(--accent);color:var(--on-accent);font-size:11.5px;font-weight:650;white-space:nowrap}
table{width:100%;border-collapse:collapse;table-layout:fixed}
.card.plans{padding:0;overflow:hidden}
th,td{padding:10px 18px;text-align:left;vertical-align:top;font-weight:400;border-top:1px solid var(--line);overflow-wrap:anywhere}
thead th,thead td{border-top:0;padding-top:20px;padding-bottom:18px}
tbody th{color:var(--soft)}
td:last-child,thead th:last-child{width:42%;background:color-mix(in srgb,var(--accent-soft) 40%,var(--surface));font-weight:500}
.price{font-size:34px;font-weight:650;line-height:1.2}
.button{display:grid;place-items:center;min-height:44px;margin-top:12px;padding:6px 14px;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:var(--ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button.main{width:100%;border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
.packs{display:grid;grid-template-columns:repeat(auto-fit,minmax(116px,1fr));gap:10px;margin-top:8px}
.packs div,.packs label{padding:12px;border:1px solid var(--line);border-radius:8px;background:color-mix(in srgb,var(--page) 40%,var(--surface))}
.packs b{display:block;font-size:16px}
.packs label{position:relative;cursor:pointer}
.packs label:has(:checked){border-color:var(--accent);background:var(--accent-soft)}
.packs input{position:absolute;inset:12px 12px auto auto;margin:0;accent-color:var(--accent)}
form>.button{width:100%}
.button:disabled{color:var(--soft);cursor:default;opacity:.65}
dialog{max-width:440px;padding:18px 20px 20px;border:1px solid var(--line);border-radius:12px;background:var(--surface);color:var(--ink)}
dialog::backdrop{background:rgb(0 0 0/.45)}
.row{display:flex;flex-wrap:wrap;gap:4px 12px;justify-content:space-between;align-items:center;margin-top:14px}
.steps{display:flex;border:1px solid var(--line);border-radius:8px;overflow:hidden}
.steps button{width:44px;height:44px;border:0;background:none;color:var(--ink);font-size:18px;cursor:pointer}
.steps input{width:52px;border:0;border-inline:1px solid var(--line);background:none;color:var(--ink);font:inherit;font-size:16px;font-weight:600;text-align:center;appearance:textfield}
.choices{margin-top:6px;border:1px solid var(--line);border-radius:8px;overflow:hidden}
.choices label{display:flex;align-items:center;gap:9px;min-height:44px;padding:4px 12px;cursor:pointer}
.choices label+label{border-top:1px solid var(--line)}
.choices label:has(:checked){background:var(--accent-soft)}
.choices input{accent-color:var(--accent);margin:0}
.choices .spring{flex:1}
.choices .tag,[data-popular] .tag{display:none}
[data-popular] .tag{display:inline-block}
hr{margin:16px 0 0;border:0;border-top:1px solid var(--line)}
.bar{height:10px;margin-top:8px;border-radius:3px;background:var(--line)}
.bar i{display:block;height:100%;border-radius:3px;background:var(--accent)}
[data-cycle=monthly] .annual,:root:not([data-cycle=monthly]) .monthly{display:none}
.faq{grid-column:1/-1}
details{border-top:1px solid var(--line)}
summary{display:flex;align-items:center;min-height:48px;font-weight:600;cursor:pointer}
details p{margin:0 0 14px;max-width:720px;color:var(--soft)}
@media (max-width:620px){th,td{padding:9px 10px}tbody th{width:30%}td:last-child,thead th:last-child{width:38%}.price{font-size:26px}th .button,td .button{padding:6px 2px;font-size:13px;overflow-wrap:normal}}
`

/** The page's sheet in the colours of a brand; a brand with one theme has no other. */
export function lookOf({ colors, theme }: Brand, mark: string): Html {
  const accents = (side: 'light' | 'dark', usual: readonly [string, string, string]) => {
    const own = colors?.[side]
    const [accent, soft, on] = own ? [own.accent, own.accent_soft, own.on_accent] : usual
    return `--accent:${accent};--accent-soft:${soft};--on-accent:${on}`
  }
  const light = `${LIGHT};${accents('light', ['#4053d6', '#e9ecff', '#ffffff'])}`
  const dark = `${DARK};${accents('dark', ['#8c9bff', '#232a4d', '#0f1115'])}`
  const mine = theme === 'dark' ? dark : light
  const other = theme === null ? `@media (prefers-color-scheme:dark){:root{${dark}}}` : ''
  return new Html(
    `<style>:root{color-scheme:${theme ?? 'light dark'};--mark:url("${mark}");${mine}}${other}${RULES}</style>`,
  )
}
