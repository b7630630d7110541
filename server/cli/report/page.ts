import { BAND_ENDS } from '@vigil/contract/watch/band.ts'
import { type Language, text } from '../../http/texts.ts'
import { firstDecisions } from '../../modules/watch/deciding/again.rules.ts'
import { clock, type Seen } from './moments.rules.ts'

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [960, 240, 36, 24, 8]
/** More points than pixels draw the same line. */
const MOST_POINTS = 2_000

/** The gauge (line) and the scores (dots) over the print as SVG, with the first warning and pause marked. */
function curve(frames: readonly Seen[]): string {
  const last = Math.max(1, frames.at(-1)?.t ?? 1)
  const x = (t: number) => (LEFT + (t / last) * (WIDTH - LEFT - 8)).toFixed(1)
  const y = (percent: number) => (TOP + (1 - percent / 100) * (HEIGHT - TOP - BOTTOM)).toFixed(1)
  const each = Math.ceil(frames.length / MOST_POINTS)
  const drawn = frames.filter((_, at) => at % each === 0)
  const line = drawn.map(({ t, gauge }) => `${x(t)},${y(gauge)}`).join(' ')
  const dots = drawn
    .filter(({ score }) => score !== null)
    .map(({ t, score }) => `<circle cx="${x(t)}" cy="${y((score ?? 0) * 100)}" r="1.6"/>`)
  const { warned, paused } = firstDecisions(frames)
  const mark = (at: Seen | undefined, kind: string) =>
    at === undefined
      ? ''
      : `<line class="${kind}" x1="${x(at.t)}" x2="${x(at.t)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`
  const levels = [0, BAND_ENDS.good * 100, BAND_ENDS.fishy * 100, 100].map(
    (percent) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - 8}" y1="${y(percent)}" y2="${y(percent)}"/>` +
      `<text x="${LEFT - 6}" y="${Number(y(percent)) + 4}" text-anchor="end">${percent}</text>`,
  )
  const times = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle'
    return `<text x="${x(share * last)}" y="${HEIGHT - 6}" text-anchor="${anchor}">${clock(share * last)}</text>`
  })
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">${levels.join('')}${times.join('')}<g class="dots">${dots.join('')}</g><polyline points="${line}"/>${mark(warned, 'warn')}${mark(paused, 'pause')}</svg>`
}

/** The report's look: the product's colours, light and dark, as web/src/app/tokens.ts has them. */
const STYLE = `
:root{color-scheme:light dark;--bg:#f6f5f2;--card:#fff;--text:#1b1d22;--dim:#5d6370;--line:#e4e1da;--good:#0b7a66;--warn:#935700;--bad:#c62f36;--accent:#4053d6}
@media(prefers-color-scheme:dark){:root{--bg:#0f1115;--card:#171a20;--text:#eceef2;--dim:#a5acb9;--line:#2a2f39;--good:#3fc7a8;--warn:#f2b04b;--bad:#ff6b6f;--accent:#8c9bff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1040px;padding:24px 16px 64px;background:var(--bg);color:var(--text);font:16px/1.5 system-ui,sans-serif}
h1{margin:0;font-size:26px}h2{margin:0 0 8px;font-size:18px}
.name{margin:0;color:var(--dim);overflow-wrap:anywhere}
.verdict{margin:20px 0 4px;padding:16px;border-radius:12px;background:var(--card);border-left:6px solid var(--good);font-size:18px}
.verdict.warn{border-color:var(--warn)}.verdict.pause{border-color:var(--bad)}
.facts,.hint{color:var(--dim);font-size:14px}
section p{margin:0 0 12px}
section{margin-top:24px;padding:16px;border-radius:12px;background:var(--card)}
.curve{overflow-x:auto}svg{display:block;width:100%;min-width:560px;height:auto}svg text{fill:var(--dim);font:11px system-ui,sans-serif}
.grid{stroke:var(--line)}.dots{fill:var(--dim);opacity:.45}polyline{fill:none;stroke:var(--accent);stroke-width:2}
line.warn{stroke:var(--warn);stroke-width:2;stroke-dasharray:5 4}line.pause{stroke:var(--bad);stroke-width:2}
.moments{display:grid;gap:16px;grid-template-columns:repeat(auto-fill,minmax(min(46%,220px),1fr))}
figure{margin:0}img{display:block;width:100%;border-radius:8px}
figcaption{display:grid;font-size:14px}.file{color:var(--dim);overflow-wrap:anywhere;font-size:13px}
b.warn{color:var(--warn)}b.pause{color:var(--bad)}
`

/** A moment of the print and its picture, with the boxes drawn. */
export interface Shown {
  readonly frame: Seen
  readonly jpeg: Uint8Array
}

export interface Report {
  readonly name: string
  readonly language: Language
  readonly intervalSeconds: number
  /** Of the detector. */
  readonly model: string
  readonly frames: readonly Seen[]
  readonly shown: readonly Shown[]
}

const escaped = (words: string) => words.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** One page, whole in itself and without scripts, that shows what Vigil would have done with a print. */
export function page(report: Report): string {
  const { name, language, frames, shown, model, intervalSeconds } = report
  const say = (key: string, params: Record<string, string | number> = {}) =>
    escaped(text('watch-server', key, params).in(language))
  const bad = frames.filter(({ error }) => error !== undefined)
  const [kind, verdict] = verdictOf(report, say)
  const facts = say('facts', {
    frames: frames.length,
    duration: clock(frames.at(-1)?.t ?? 0),
    interval: intervalSeconds,
    model,
  })
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escaped(name)}: ${say('title')}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${say('title')}</h1><p class="name">${escaped(name)}</p></header>
<p class="verdict ${kind}">${verdict}</p>
<p class="facts">${facts}</p>
<section><h2>${say('curve')}</h2><div class="curve">${curve(frames)}</div><p class="hint">${say('curveHint')}</p></section>
<section><h2>${say('moments')}</h2><p class="hint">${say('momentsHint')}</p>
<div class="moments">${shown.map((one) => moment(one, say)).join('')}</div></section>
${
  bad.length === 0
    ? ''
    : `<section><h2>${say('unread', { count: bad.length })}</h2><ul>${bad
        .slice(0, 20)
        .map(({ file, error }) => `<li>${escaped(file)}: ${escaped(error ?? '')}</li>`)
        .join('')}</ul></section>`
}
<section><h2>${say('trust')}</h2><p>${say('trustText')}</p></section>
</body>
</html>
`
}

type Say = (key: string, params?: Record<string, string | number>) => string

function verdictOf({ frames }: Report, say: Say): [kind: 'pause' | 'warn' | 'none', words: string] {
  const { warned, paused } = firstDecisions(frames)
  const time = ({ t }: Seen) => clock(t)
  if (paused !== undefined && warned !== undefined)
    return [
      'pause',
      say(warned === paused ? 'paused' : 'warnedThenPaused', { warned: time(warned), paused: time(paused) }),
    ]
  if (warned !== undefined) return ['warn', say('warned', { warned: time(warned) })]
  return ['none', say('quiet', { highest: Math.round(Math.max(0, ...frames.map(({ gauge }) => gauge))) })]
}

function moment({ frame, jpeg }: Shown, say: Say): string {
  const { file, t, gauge, score, decision } = frame
  const label = decision === 'none' ? '' : ` <b class="${decision}">${say(`would.${decision}`)}</b>`
  const seen = say('seen', { gauge: Math.round(gauge), score: (score ?? 0).toFixed(2) })
  return `<figure><img alt="" src="data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}"><figcaption><span>${clock(t)}${label}</span><span>${seen}</span><span class="file">${escaped(file)}</span></figcaption></figure>`
}
