/** A piece of an event's text: words in a style, or the end of a line. */
export type TextRun = { readonly text: string } & TextStyle

export interface TextStyle {
  readonly bold?: true
  readonly italic?: true
  readonly underlined?: true
  /** An http or https address. */
  readonly href?: string
}

/** Longer texts are cut. */
const MOST = 100_000

/** A tag, or an entity: neither reaches over a `<`, so that each character is looked at a few times at most. */
const MARKUP =
  /<(\/?)([a-z][a-z0-9]{0,20})((?:[\s/][^<>]{0,1000})?)>|&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

const STYLES: Readonly<Record<string, keyof TextStyle>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underlined',
}

/** Tags that begin and end a line. */
const LINES = new Set(['p', 'div', 'li', 'ul', 'ol'])

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()]
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isText =
    code >= 0x20 && code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) && (code & 0xf800) !== 0xd800
  return isText || code === 10 ? String.fromCodePoint(code) : ''
}

const decoded = (text: string) =>
  text.replace(MARKUP, (all, _slash, _tag, _rest, name?: string) => (name ? entity(name) : undefined) ?? all)

/** The address in the attributes of an `a`; undefined unless it is a plain one of the web. */
function addressOf(attributes: string): string | undefined {
  const found = /\shref\s{0,9}=\s{0,9}(?:"([^"]{0,1000})"|'([^']{0,1000})'|([^\s"'=`]{1,1000}))/i.exec(
    attributes,
  )
  const text = found?.[1] ?? found?.[2] ?? found?.[3]
  return text === undefined ? undefined : webAddress(decoded(text))
}

/** An address if it is one of the web, whole and without a name before an `@`; else undefined. */
export function webAddress(text: string): string | undefined {
  if (text.length > 2_000 || !/^https?:\/\/[^\s\\]+$/i.test(text)) return undefined
  if (!URL.canParse(text)) return undefined
  const { href, username, password } = new URL(text)
  return username || password ? undefined : href
}

/**
 * Reads the text of an event, which may come from anybody: of HTML it knows bold, italic, underlined, line breaks, links
 * of the web and entities. All else is text. There is nothing in what it returns that could be run; each piece stands for
 * itself, so that nothing is nested however deep the text pretends to be.
 */
export function readEventText(html: string): TextRun[] {
  const text = html.slice(0, MOST)
  const runs: TextRun[] = []
  let style: TextStyle = {}
  let words = ''
  let from = 0
  const say = (said: string) => void (words += said)
  const turn = (next: TextStyle) => {
    const last = runs.at(-1)
    if (last && words !== '' && isSame(last, style))
      runs[runs.length - 1] = { ...last, text: last.text + words }
    else if (words !== '') runs.push({ ...style, text: words })
    words = ''
    style = next
  }
  for (const match of text.matchAll(MARKUP)) {
    const [all, slash, tag = '', rest = '', name] = match
    say(text.slice(from, match.index))
    from = match.index + all.length
    if (name !== undefined) say(entity(name) ?? all)
    else if (!read(tag.toLowerCase(), slash === '/', rest)) say(all)
  }
  say(text.slice(from))
  turn({})
  return tidied(runs)

  /** False for a tag that is not known: it is text. */
  function read(tag: string, isEnd: boolean, rest: string): boolean {
    const known = STYLES[tag]
    if (known !== undefined) {
      const { [known]: _, ...others } = style
      turn(isEnd ? others : { ...others, [known]: true })
    } else if (tag === 'a') {
      const { href: _, ...others } = style
      const href = isEnd ? undefined : addressOf(rest)
      turn(href === undefined ? others : { ...others, href })
    } else if (tag === 'br') say('\n')
    else if (LINES.has(tag)) {
      if (words !== '' || runs.length > 0) say('\n')
    } else return tag === 'span'
    return true
  }
}

const isSame = (a: TextStyle, b: TextStyle) =>
  a.bold === b.bold && a.italic === b.italic && a.underlined === b.underlined && a.href === b.href

/** Every control character but a line's end. */
const CONTROLS = /(?!\n)\p{Cc}/gu

const cleaned = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, ' ')
    .replace(/\n{3,1000}/g, '\n\n')

/** Control characters gone, no more than two line ends together, nothing but text at both ends. */
function tidied(runs: readonly TextRun[]): TextRun[] {
  const clean = runs.map((run) => ({ ...run, text: cleaned(run.text) }))
  while (clean[0]?.text.trim() === '') clean.shift()
  while (clean.at(-1)?.text.trim() === '') clean.pop()
  const [first] = clean
  if (first) clean[0] = { ...first, text: first.text.trimStart() }
  const last = clean.at(-1)
  if (last) clean[clean.length - 1] = { ...last, text: last.text.trimEnd() }
  return clean
}

/** The same without styles: for where only text can stand. */
export const plainEventText = (html: string): string =>
  readEventText(html)
    .map(({ text }) => text)
    .join('')

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '<br>',
}

/** Text as HTML that shows it. */
export const asEventText = (text: string): string => text.replace(/[&<>"\n]/g, (sign) => SIGNS[sign] ?? sign)

/** HTML that is harmless wherever it is shown: what `readEventText` has understood, and no more. */
export function safeEventText(html: string): string {
  const wrap = (tag: string, is: true | undefined, inner: string) =>
    is ? `<${tag}>${inner}</${tag}>` : inner
  return readEventText(html)
    .map(({ text, bold, italic, underlined, href }) => {
      const inner = wrap('b', bold, wrap('i', italic, wrap('u', underlined, asEventText(text))))
      return href === undefined ? inner : `<a href="${asEventText(href)}">${inner}</a>`
    })
    .join('')
}
