/** Where in a text a match may stand: at these places, and at every one from `onwards`. */
interface Places {
  readonly at: readonly number[]
  readonly onwards: number | null
}
type Step = (text: string, places: Places) => Places

const LONGEST_TEXT = 4_000
const LONGEST_PATTERN = 500
const DEEPEST = 20
/** What other expressions have, and bundles have not. */
const STRANGE = '*+?{}^$)|]'

/** An expression that is none of ours. */
class Unreadable extends Error {}

/**
 * What bundles use of regular expressions, for all of a text: characters, `.`, `.*`, `[^ab]` and `(a|b)`. Nothing is tried twice, so it
 * takes no longer for being hostile; any other expression matches nothing.
 */
export function readPattern(source: string): (text: string) => boolean {
  try {
    if (source.length > LONGEST_PATTERN) throw new Unreadable()
    const reader = new Reader(source)
    const step = reader.alternatives(0)
    if (!reader.isAtEnd) throw new Unreadable()
    return (whole) => {
      const text = whole.slice(0, LONGEST_TEXT)
      const { at, onwards } = step(text, { at: [0], onwards: null })
      return at.includes(text.length) || (onwards !== null && onwards <= text.length)
    }
  } catch (error) {
    if (error instanceof Unreadable) return () => false
    throw error
  }
}

class Reader {
  readonly #source: string
  #at = 0
  constructor(source: string) {
    this.#source = source
  }

  get isAtEnd(): boolean {
    return this.#at === this.#source.length
  }

  #isNext(character: string): boolean {
    if (this.#source[this.#at] !== character) return false
    this.#at++
    return true
  }

  alternatives(depth: number): Step {
    if (depth > DEEPEST) throw new Unreadable()
    const all = [this.#sequence(depth)]
    while (this.#isNext('|')) all.push(this.#sequence(depth))
    return (text, places) => union(all.map((one) => one(text, places)))
  }

  #sequence(depth: number): Step {
    const steps: Step[] = []
    for (
      let next = this.#source[this.#at];
      next !== undefined && next !== '|' && next !== ')';
      next = this.#source[this.#at]
    )
      steps.push(this.#step(depth))
    return (text, places) => steps.reduce((reached, step) => step(text, reached), places)
  }

  #step(depth: number): Step {
    if (this.#isNext('(')) {
      const step = this.alternatives(depth + 1)
      if (!this.#isNext(')')) throw new Unreadable()
      return step
    }
    if (this.#isNext('[')) return this.#oneOf()
    if (this.#isNext('.')) return this.#isNext('*') ? anything : one(() => true)
    let word = ''
    while (
      !this.isAtEnd &&
      !'([.'.includes(this.#source[this.#at] ?? '') &&
      !STRANGE.includes(this.#source[this.#at] ?? '')
    )
      word += this.#character()
    if (word === '') throw new Unreadable()
    return literal(word)
  }

  #oneOf(): Step {
    const isNot = this.#isNext('^')
    const all = new Set<string>()
    while (!this.#isNext(']')) {
      if (this.isAtEnd) throw new Unreadable()
      all.add(this.#character())
    }
    return one((character) => all.has(character) !== isNot)
  }

  /** One as it stands; behind a backslash only what is no letter. */
  #character(): string {
    const isEscaped = this.#isNext('\\')
    const character = this.#source[this.#at++]
    if (character === undefined || (isEscaped && /\w/.test(character))) throw new Unreadable()
    return character
  }
}

const union = (all: readonly Places[]): Places => {
  const ends = all.flatMap(({ onwards }) => (onwards === null ? [] : [onwards]))
  return {
    at: [...new Set(all.flatMap(({ at }) => at))],
    onwards: ends.length > 0 ? Math.min(...ends) : null,
  }
}

const anything: Step = (_, { at, onwards }) => {
  const starts = onwards === null ? at : [...at, onwards]
  return { at: [], onwards: starts.length > 0 ? starts.reduce((a, b) => Math.min(a, b)) : null }
}

const one =
  (is: (character: string) => boolean): Step =>
  (text, { at, onwards }) => {
    const starts = new Set(at)
    for (let i = onwards ?? text.length; i < text.length; i++) starts.add(i)
    return {
      at: [...starts].filter((i) => i < text.length && is(text[i] ?? '')).map((i) => i + 1),
      onwards: null,
    }
  }

const literal =
  (word: string): Step =>
  (text, { at, onwards }) => {
    const found = new Set(at.filter((i) => text.startsWith(word, i)))
    if (onwards !== null)
      for (let i = text.indexOf(word, onwards); i >= 0; i = text.indexOf(word, i + 1)) found.add(i)
    return { at: [...found].map((i) => i + word.length), onwards: null }
  }
