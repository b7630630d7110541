import { listIn, type Values } from './bundle.ts'
import { readPattern } from './pattern.ts'

/** Whether a profile goes with a printer that says so much of itself. */
export type Condition = (values: Values) => boolean

type Value = string | number | boolean
type Term = (values: Values) => Value

const TOKEN =
  /\s*(?:"([^"]{0,1000})"|\/([^/]{0,500})\/|(\d{1,9}(?:\.\d{1,9})?)|([a-z_][a-z0-9_]{0,100})|(==|!=|=~|!~|>=|<=|&&|\|\||[!()<>[\]]))/iy
const LONGEST = 4_000
const DEEPEST = 60

interface Token {
  readonly kind: 'text' | 'pattern' | 'number' | 'name' | 'sign'
  readonly word: string
}

function tokensOf(source: string): Token[] | null {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  const text = source.trimEnd()
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)
    if (found === null) return null
    const [, quoted, pattern, digits, name, sign] = found
    if (quoted !== undefined) tokens.push({ kind: 'text', word: quoted })
    else if (pattern !== undefined) tokens.push({ kind: 'pattern', word: pattern })
    else if (digits !== undefined) tokens.push({ kind: 'number', word: digits })
    else if (name !== undefined) tokens.push({ kind: 'name', word: name })
    else tokens.push({ kind: 'sign', word: sign ?? '' })
  }
  return tokens
}

/**
 * Reads a condition of a bundle (`compatible_printers_condition`). An empty one holds always, one that cannot be read never; names that
 * nobody knows are 0.
 */
export function readCondition(source: string): Condition {
  if (source.trim() === '') return () => true
  const tokens = source.length > LONGEST ? null : tokensOf(source)
  const term = tokens && new Reader(tokens).whole()
  return term ? (values) => isTrue(term(values)) : () => false
}

/** A condition of which something is missing. */
class Unreadable extends Error {}

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  whole(): Term | null {
    try {
      const term = this.#either()
      return this.#at === this.#tokens.length ? term : null
    } catch (error) {
      if (error instanceof Unreadable) return null
      throw error
    }
  }

  #next(...words: readonly string[]): string | null {
    const token = this.#tokens[this.#at]
    if (
      token === undefined ||
      token.kind === 'text' ||
      token.kind === 'pattern' ||
      !words.includes(token.word)
    )
      return null
    this.#at++
    return token.word
  }

  #either(): Term {
    let left = this.#both()
    while (this.#next('or', '||') !== null) {
      const [a, b] = [left, this.#both()]
      left = (values) => isTrue(a(values)) || isTrue(b(values))
    }
    return left
  }

  #both(): Term {
    let left = this.#not()
    while (this.#next('and', '&&') !== null) {
      const [a, b] = [left, this.#not()]
      left = (values) => isTrue(a(values)) && isTrue(b(values))
    }
    return left
  }

  #not(): Term {
    if (this.#next('!', 'not') === null) return this.#compared()
    if (++this.#depth > DEEPEST) throw new Unreadable()
    const term = this.#not()
    return (values) => !isTrue(term(values))
  }

  #compared(): Term {
    const left = this.#single()
    const sign = this.#next('==', '!=', '=~', '!~', '>=', '<=', '>', '<')
    if (sign === null) return left
    if (sign === '=~' || sign === '!~') {
      const token = this.#tokens[this.#at++]
      if (token?.kind !== 'pattern') throw new Unreadable()
      const matches = readPattern(token.word)
      return (values) => matches(String(left(values))) === (sign === '=~')
    }
    const right = this.#single()
    return (values) => compare(left(values), right(values), sign)
  }

  #single(): Term {
    if (this.#next('(') !== null) {
      if (++this.#depth > DEEPEST) throw new Unreadable()
      const term = this.#either()
      if (this.#next(')') === null) throw new Unreadable()
      return term
    }
    const token = this.#tokens[this.#at++]
    if (token?.kind === 'text') return () => token.word
    if (token?.kind === 'number') return () => Number(token.word)
    if (token?.kind !== 'name') throw new Unreadable()
    if (this.#next('[') === null) return (values) => valueOf(values.get(token.word))
    const place = Number(this.#tokens[this.#at++]?.word)
    if (this.#next(']') === null) throw new Unreadable()
    return (values) => valueOf(listIn(values.get(token.word))[place])
  }
}

function valueOf(said: string | undefined): Value {
  if (said === undefined) return 0
  return /^-?\d{1,9}(?:\.\d{1,9})?$/.test(said) ? Number(said) : said
}

const isTrue = (value: Value) => (typeof value === 'string' ? value !== '' : Boolean(value))

function compare(a: Value, b: Value, sign: string): boolean {
  const isSame = a === b || String(a) === String(b)
  if (sign === '==') return isSame
  if (sign === '!=') return !isSame
  if (typeof a !== 'number' || typeof b !== 'number') return false
  if (sign === '>=') return a >= b
  if (sign === '<=') return a <= b
  return sign === '>' ? a > b : a < b
}
