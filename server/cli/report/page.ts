import { type Language, text } from '../../http/texts.ts'
import { curve } from './curve.ts'
import { firstDecisions } from '../../modules/watch/deciding/again.rules.ts'
import { clock, type Seen } from './moments.rules.ts'
import { STYLE } from './style.ts'

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
