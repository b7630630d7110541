/**
 * What a slicer says of a file in comments: `; key = value`, `;KEY:value`, `;   key,value`. Lines are read one by one, without
 * expressions over the whole text, so that the time taken grows with its length and nothing else.
 */
export interface Comments {
  /** The value that stands first; undefined when none does. Keys are lower case, with single spaces. */
  first(key: string): string | undefined
  last(key: string): string | undefined
  /** Each comment as it stands, in order, no more than {@link MOST_LINES}. */
  readonly lines: readonly string[]
}

const MOST_LINES = 50_000
/** A longer comment says nothing that we read. */
const LONGEST_LINE = 4096
const LONGEST_KEY = 80

/** Reads the comments of parts of a file, in their order. */
export function readComments(...texts: readonly string[]): Comments {
  const lines: string[] = []
  const found = new Map<string, { first: string; last: string }>()
  for (const text of texts)
    for (const line of commentsOf(text)) {
      if (lines.length >= MOST_LINES) break
      lines.push(line)
      const at = line.search(/[=:,]/)
      if (at < 1 || at > LONGEST_KEY) continue
      const key = line.slice(0, at).trim().toLowerCase().replaceAll(/\s+/g, ' ')
      const value = line.slice(at + 1).trim()
      if (value === '') continue
      const known = found.get(key)
      if (known) known.last = value
      else found.set(key, { first: value, last: value })
    }
  return { first: (key) => found.get(key)?.first, last: (key) => found.get(key)?.last, lines }
}

function* commentsOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    const stop = end === -1 ? text.length : end
    if (text.charCodeAt(start) === SEMICOLON && stop - start <= LONGEST_LINE) {
      const line = text.slice(start + 1, stop).trim()
      if (line !== '') yield line
    }
    start = stop + 1
  }
}

const SEMICOLON = 59
