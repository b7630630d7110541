/** One line of the terminal; the same line again and again is one with a count. */
export interface Line {
  id: number
  text: string
  /** Typed here, not heard. */
  own: boolean
  /** ms since 1970. */
  at: number
  times: number
}

export const FILTERS = ['temperature', 'sd', 'ok', 'moves'] as const
export type Filter = (typeof FILTERS)[number]

const SENT = String.raw`^(?:Send: )?(?:N\d+\s+)?`
const HEARD = String.raw`^(?:Recv: )?`

/** What each filter hides. OctoPrint's feed says `Send:` and `Recv:`; Klipper's says neither. */
const HIDES: Record<Filter, RegExp> = {
  temperature: new RegExp(
    String.raw`${SENT}M105\b|${HEARD}(?:ok\s+(?:[PBN]\d+\s+)*)?(?:[BCLPRT]|T\d+):\s?-?\d`,
  ),
  sd: new RegExp(String.raw`${SENT}M27\b|${HEARD}(?:SD printing byte|Not SD printing)`),
  ok: new RegExp(String.raw`${HEARD}ok(?:\s+[PBN]\d+)*\s*$`),
  moves: new RegExp(String.raw`${SENT}G[0-3]\b`),
}

/** The filter that a line belongs to, if any. */
export function kindOf(text: string): Filter | null {
  return FILTERS.find((filter) => HIDES[filter].test(text)) ?? null
}

const MAX_LINES = 1000
const MAX_LENGTH = 2000

/** Control characters are shown as signs, so that an escape sequence is text like any other. */
export function clean(text: string): string {
  const tidy = text.replace(/(?<![\r\n])[\r\n]+$/, '').slice(0, MAX_LENGTH)
  // oxlint-disable-next-line no-control-regex
  return tidy.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (sign) =>
    sign === '\u007f' ? '^?' : `^${String.fromCodePoint(0x40 + sign.codePointAt(0)!)}`,
  )
}

let nextId = 1

/** Adds a line; the oldest go when there are too many. */
export function addLine(lines: readonly Line[], text: string, own: boolean, at: number): readonly Line[] {
  const last = lines.at(-1)
  if (last && last.text === text && last.own === own && !own)
    return [...lines.slice(0, -1), { ...last, at, times: last.times + 1 }]
  const kept = lines.length >= MAX_LINES ? lines.slice(lines.length - MAX_LINES + 1) : lines
  return [...kept, { id: nextId++, text, own, at, times: 1 }]
}

/** The lines as text, for the clipboard. */
export function asText(lines: readonly Line[]): string {
  return lines
    .map(({ text, own, times }) => (own ? `> ${text}` : text) + (times > 1 ? ` ×${times}` : ''))
    .join('\n')
}

const MAX_SENT = 50

/** What was sent before, newest last; the same again moves to the end. */
export function remember(sent: readonly string[], line: string): string[] {
  return [...sent.filter((each) => each !== line), line].slice(-MAX_SENT)
}

/** Which filters hide; all of them until somebody chose. */
export function readFilters(raw: string | null): Filter[] {
  if (raw === null) return [...FILTERS]
  const words = raw.split(',')
  return FILTERS.filter((filter) => words.includes(filter))
}
