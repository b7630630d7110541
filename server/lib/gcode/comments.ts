/**
 * What a slicer says of a file in comments: `; key = value`, `;KEY:value`, `;   key,value`. Lines are read one by one, without
 * expressions over the whole text, so that the time taken grows with its length and nothing else.
 */
export interface Comments {
  /** The value that stands first; undefined when none does. Keys are lower case, with single spaces. */
  first(key: string): string | undefined
  last(key: string): string | undefined
  /** Each comment as it stands, in order; of more than twice {@link MOST_LINES} the first and the last. */
  readonly lines: readonly string[]
}

const MOST_LINES = 25_000
/** A longer comment says nothing that we read. */
const LONGEST_LINE = 4096
const LONGEST_KEY = 80

/** Reads the comments of parts of a file, in their order. Of very many those are kept that stand first and last. */
export function readComments(...texts: readonly string[]): Comments {
  const lines: string[] = []
  let late: string[] = []
  const found = new Map<string, { first: string; last: string }>()
  for (const text of texts)
    for (const line of commentsOf(text)) {
      if (lines.length < MOST_LINES) lines.push(line)
      else if (late.push(line) > 2 * MOST_LINES) late = late.slice(-MOST_LINES)
      const at = line.search(/[=:,]/)
      if (at < 1 || at > LONGEST_KEY) continue
      const key = line.slice(0, at).trim().toLowerCase().replaceAll(/\s+/g, ' ')
      const value = line.slice(at + 1).trim()
      if (value === '') continue
      const known = found.get(key)
      if (known) known.last = value
      else if (found.size < MOST_LINES) found.set(key, { first: value, last: value })
    }
  return {
    first: (key) => found.get(key)?.first,
    last: (key) => found.get(key)?.last,
    lines: [...lines, ...late.slice(-MOST_LINES)],
  }
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
