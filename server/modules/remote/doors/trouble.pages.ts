import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { type Brand, shownBrand } from '../../../brands/brands.ts'
import type { Ctx } from '../../../ctx.ts'
import { drawDoor } from '../../../http/door-page.ts'
import { pickLanguage } from '../../../http/language.ts'
import { text } from '../../../http/texts.ts'
import { html } from '../../../lib/html.ts'

/** Each trouble with its status and, where waiting helps, the seconds until a page tries again (docs/wire/remote.md 3). */
const TROUBLES = {
  cap: [481, 300],
  offline: [482, 10],
  old: [482, 60],
  lost: [482, 5],
  timeout: [483, 10],
  none: [484, 60],
  signIn: [401, null],
  /** The same at a tunnel of our own pages: its owner may come in by another window. */
  signedOut: [401, 30],
  foreign: [403, null],
  missing: [404, null],
  length: [411, null],
  large: [413, null],
  bad: [400, null],
  attempts: [429, 60],
  agent: [502, 10],
  elsewhere: [502, null],
  busy: [503, 5],
  away: [503, 5],
} as const
export type Trouble = keyof typeof TROUBLES

/** What is told of a trouble with the words of another. */
const WORDS: Partial<Record<Trouble, Trouble>> = { lost: 'offline' }

export const statusOf = (trouble: Trouble): number => TROUBLES[trouble][0]

interface Reader {
  readonly headers: IncomingHttpHeaders
  /** Host and port of the request. */
  readonly host: string
  /** Where the app opens this tunnel. */
  readonly opener: string | null
  /** Where a page tries again; null: where it is. */
  readonly again?: string | null
}

interface Told {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** What a reader is told: a page for people, JSON or a sentence for programs. Nothing of the printer's stands in it. */
export function tell(
  { config }: Pick<Ctx, 'config'>,
  trouble: Trouble,
  { headers, host, opener, again: place = null }: Reader,
): Told {
  const [status, again] = TROUBLES[trouble]
  const language = pickLanguage({ accepted: headers['accept-language'] })
  const brand = shownBrand(config.brands, { host, userAgent: headers['user-agent'], named: undefined })
  const say = (word: string) =>
    text('tunnel-pages-server', `${WORDS[trouble] ?? trouble}${word}`, { brand: brand.display_name }).in(
      language,
    )
  const common = {
    'cache-control': 'no-store',
    ...(again === null ? {} : { 'retry-after': String(again) }),
  }
  const accepted = headers.accept ?? ''
  if (!/text\/html/.test(accepted)) {
    const isJson = /json/.test(accepted)
    const type = isJson ? 'application/json' : 'text/plain'
    const body = isJson ? JSON.stringify({ detail: say('Text'), reason: trouble }) : `${say('Text')}\n`
    return { status, headers: { ...common, 'content-type': `${type}; charset=utf-8` }, body }
  }
  const page = drawDoor({
    brand,
    mark: markOf(brand),
    language,
    title: say('Title'),
    head: html`${again !== null && html`<meta http-equiv="refresh" content="${again}${place && `; url=${place}`}" />`}`,
    body: html`<p>${say('Text')}</p>
      ${
        trouble === 'signedOut' &&
        opener !== null &&
        html`<div class="acts"><a class="button" href="${opener}" target="_top">${say('Button')}</a></div>`
      }`,
  })
  return { status, headers: { ...common, 'content-type': 'text/html; charset=utf-8' }, body: page.markup }
}

const marks = new LRUCache<string, string>({ max: 100 })

/** The brand's mark within the address itself: nothing of ours is served on a tunnel's origin. */
function markOf({ folder }: Brand): string {
  const known = marks.get(folder)
  if (known !== undefined) return known
  const mark = `data:image/svg+xml;base64,${readFileSync(join(folder, 'mark.svg')).toString('base64')}`
  marks.set(folder, mark)
  return mark
}
