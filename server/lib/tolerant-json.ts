/** Words that Python's json.dumps writes and JSON does not know (docs/wire/agents.md 1.1). */
const BARE = /^(?:NaN|-?Infinity)/

/** Parses JSON as agents write it: bare `NaN`, `Infinity` and `-Infinity` are null. Raises SyntaxError. */
export function parseTolerant(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!text.includes('NaN') && !text.includes('Infinity')) throw error
    return JSON.parse(replaceBareWords(text))
  }
}

/** Replaces the bare words outside strings; what stands in strings is the printer's own text. */
function replaceBareWords(text: string): string {
  let out = ''
  let from = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (quoted) {
      if (c === 92) i++
      else if (c === 34) quoted = false
    } else if (c === 34) quoted = true
    else if (c === 78 || c === 73 || c === 45) {
      const word = BARE.exec(text.slice(i, i + 9))?.[0]
      if (word === undefined) continue
      out += `${text.slice(from, i)}null`
      i += word.length - 1
      from = i + 1
    }
  }
  return out + text.slice(from)
}

/** Text that can be stored: without NUL, well-formed, no longer than `max`. */
export function storableText(text: string, max: number): string {
  const clean = text.includes('\0') ? text.replaceAll('\0', '') : text
  return clean.slice(0, max).toWellFormed()
}

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])
const MAX_DEPTH = 24
const MAX_LIST = 1000

/**
 * JSON that can be stored and merged: finite numbers, clean text, no prototype keys, and only so deep and long.
 * What does not fit becomes null.
 */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value, 100_000)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return null
  if (Array.isArray(value)) return value.slice(0, MAX_LIST).map((item) => storableJson(item, depth + 1))
  const entries = Object.entries(value).slice(0, MAX_LIST)
  const kept = entries.filter(([key]) => !FORBIDDEN.has(key))
  return Object.fromEntries(
    kept.map(([key, item]) => [storableText(key, 200), storableJson(item, depth + 1)]),
  )
}
