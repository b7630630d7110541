import { expect, test } from 'vitest'
import { riskOf } from './bounded.ts'

const BEGINS_ANYWHERE = /begin anywhere/

/** Expressions as they stood here or might, and what is said of them. */
const EXPRESSIONS: readonly (readonly [RegExp, RegExp | null])[] = [
  // it held the server up for 24 s, and no other rule saw it
  [/<link\b(?=[^>]*\brel=["']?manifest\b)[^>]*>/gi, /A look ahead or behind/],
  [/^<link(?=[^>]+rel)/, /A look ahead or behind/],
  [/(?<=a.*)b/, /A look ahead or behind/],
  [/<link\b[^>]*>/, BEGINS_ANYWHERE],
  [/\s+$/, BEGINS_ANYWHERE],
  [/^a=fmtp:(.*)$/m, BEGINS_ANYWHERE],
  [/^a|b+/, BEGINS_ANYWHERE],
  [/x{1,5000}/, BEGINS_ANYWHERE],
  [/^\d+$/, null],
  [/^a+|^b+/, null],
  [/\d+/y, null],
  [/<link\b[^>]{0,200}>/, null],
  [/(?=[^>]{0,200}rel)/, null],
  [/[&<>]/g, null],
]

test.each(EXPRESSIONS)('%s', ({ source, flags }, said) => {
  const risk = riskOf(source, flags)
  if (said === null) expect(risk).toBeNull()
  else expect(risk).toMatch(said)
})
