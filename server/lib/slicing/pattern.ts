import { RE2JS } from 're2js'

const LONGEST_TEXT = 4_000
const LONGEST_PATTERN = 500

/**
 * A regular expression of a bundle, for all of a text, by RE2: it takes no longer for being hostile. One that RE2 cannot read matches
 * nothing.
 */
export function readPattern(source: string): (text: string) => boolean {
  const found = source.length > LONGEST_PATTERN ? null : compiled(source)
  const known = new Map<string, boolean>()
  return (whole) => {
    const text = whole.slice(0, LONGEST_TEXT)
    const before = known.get(text)
    if (before !== undefined) return before
    const isMatch = found?.matches(text) ?? false
    known.set(text, isMatch)
    return isMatch
  }
}

function compiled(source: string): RE2JS | null {
  try {
    return RE2JS.compile(source, RE2JS.DOTALL)
  } catch {
    return null
  }
}
