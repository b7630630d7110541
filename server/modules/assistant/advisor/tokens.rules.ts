/** A word, a Chinese character, a number with its unit, or a mark; of a text that somebody has typed. */
export interface Token {
  readonly text: string
  readonly number?: number
  readonly unit?: Unit
  /** It ends a part of the sentence. */
  readonly isEnd?: true
  /** In a phrase: the rest of the word may be anything. */
  readonly isPrefix?: true
}
export type Unit = 'percent' | 'degrees' | 'mm' | 'speed'

/** Longer messages are read to here. */
const MOST_CHARS = 2_000

const SMALL = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
]
const TEENS = ['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen']
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const WORDS: ReadonlyMap<string, number> = new Map([
  ...[...SMALL, ...TEENS].map((word, i) => [word, i] as const),
  ...TENS.map((word, i) => [word, 20 + 10 * i] as const),
])
const HAN = new Map(Array.from('零一二三四五六七八九').map((char, i) => [char, i] as const))
HAN.set('两', 2).set('〇', 0)
/** 一 before these is no number: 一下, 一些, 一样. */
const NO_ONE = new Set('下些样起直定次般个')

/** The text in parts. The same for what people say and for the phrases that are looked for in it. */
export function tokensOf(text: string): Token[] {
  const plain = text
    .slice(0, MOST_CHARS)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’‘`]/g, '')
  const found =
    plain.match(
      /(?<!\d)0,\d{1,4}|\d{1,9}(?:\.\d{1,6})?|[a-z]{1,60}|\p{Script=Han}|[%°/+\-*.,;!?:=、。\n]/gu,
    ) ?? []
  const raw: Token[] = []
  for (const [i, one] of found.entries()) {
    const last = raw.at(-1)
    if (one === '*') {
      if (last) raw.splice(-1, 1, { ...last, isPrefix: true })
    } else if (/^\d/.test(one.slice(0, 20))) raw.push({ text: one, number: Number(one.replace(',', '.')) })
    else if (/^[.,;!?、。\n]$/.test(one.slice(0, 2))) raw.push({ text: one, isEnd: true })
    // A minus joins words unless a number follows and no word stands before it.
    else if ((one !== '-' || isSign(found, i)) && one !== ':') raw.push({ text: one })
  }
  return withUnits(withHan(withWords(raw)))
}

const isSign = (found: readonly string[], at: number) =>
  /^\d/.test((found[at + 1] ?? '').slice(0, 2)) && !/^[a-z]/.test((found[at - 1] ?? '').slice(0, 2))

type RunOf = (tokens: readonly Token[], from: number) => { number: number; end: number } | null

/** Each run of tokens that is one number, as one token. */
function withRuns(tokens: readonly Token[], runOf: RunOf, glue: string): Token[] {
  const out: Token[] = []
  for (let i = 0; i < tokens.length;) {
    const run = runOf(tokens, i)
    const token = tokens[i]
    if (run) {
      const words = tokens.slice(i, run.end).map(({ text }) => text)
      out.push({ text: words.join(glue), number: run.number })
    } else if (token) out.push(token)
    i = run ? run.end : i + 1
  }
  return out
}

/** `two hundred and fifteen`, `zero point one six` */
const withWords = (tokens: readonly Token[]): Token[] => withRuns(tokens, wordRun, ' ')

function wordRun(tokens: readonly Token[], from: number): { number: number; end: number } | null {
  let total = 0
  let end = from
  let decimals = ''
  let isPoint = false
  for (; end < tokens.length; end++) {
    const word = tokens[end]?.text ?? ''
    const value = WORDS.get(word)
    if (isPoint && value !== undefined && value < 10) decimals += String(value)
    else if (isPoint) break
    else if (value !== undefined) {
      // `three four` are two numbers, `twenty five` is one.
      if (end > from && !(total % 100 === 0 || (total % 10 === 0 && total % 100 >= 20 && value < 10))) break
      total += value
    } else if (word === 'hundred' && end > from) total *= 100
    else if (word === 'and' && total % 100 === 0 && total > 0 && WORDS.has(tokens[end + 1]?.text ?? ''))
      continue
    else if (word === 'point' && WORDS.has(tokens[end + 1]?.text ?? '')) isPoint = true
    else break
  }
  if (end === from) return null
  return { number: Number(`${total}${decimals === '' ? '' : `.${decimals}`}`), end }
}

/** `二百一十五`, `零点一六` */
const withHan = (tokens: readonly Token[]): Token[] => withRuns(tokens, hanRun, '')

function hanRun(tokens: readonly Token[], from: number): { number: number; end: number } | null {
  const at = (i: number) => tokens[i]?.text ?? ''
  if (at(from) === '一' && (NO_ONE.has(at(from + 1)) || (at(from + 1) === '点' && !HAN.has(at(from + 2)))))
    return null
  let total = 0
  let digit: number | null = null
  let end = from
  let decimals = ''
  for (; end < tokens.length; end++) {
    const char = at(end)
    const value = HAN.get(char)
    if (value !== undefined) {
      if (decimals !== '') decimals += String(value)
      else digit = value
    } else if (char === '百' && digit !== null && decimals === '')
      [total, digit] = [total + digit * 100, null]
    else if (char === '十' && decimals === '') [total, digit] = [total + (digit ?? 1) * 10, null]
    else if (char === '点' && decimals === '' && digit !== null && HAN.has(at(end + 1))) decimals = '.'
    else break
  }
  if (end === from) return null
  return { number: Number(`${total + (digit ?? 0)}${decimals}`), end }
}

/** What stands behind a number (or before it: 百分之), and how many parts that takes. */
function unitAt(
  tokens: readonly Token[],
  at: number,
): { unit: Unit; length: number; isFahrenheit?: true } | null {
  const said = tokens.slice(at, at + 3).map(({ text }) => text)
  const [first = '', second = '', third = ''] = said
  if (first === '%' || first === 'percent') return { unit: 'percent', length: 1 }
  if (first === 'per' && second === 'cent') return { unit: 'percent', length: 2 }
  const isDegree = first === '°' || /^deg(?:ree)?s?$/.test(first.slice(0, 10)) || first === '度'
  if (isDegree && /^(?:f|fahrenheit)$/.test(second.slice(0, 12)))
    return { unit: 'degrees', length: 2, isFahrenheit: true }
  if (isDegree)
    return { unit: 'degrees', length: /^(?:c|celsius|centigrade)$/.test(second.slice(0, 12)) ? 2 : 1 }
  if (first === 'c' || first === 'celsius') return { unit: 'degrees', length: 1 }
  if (first + second + third === '摄氏度') return { unit: 'degrees', length: 3 }
  const length = /^(?:mm|milli(?:meter|metre)s?)$/.test(first.slice(0, 20))
    ? 1
    : first + second === '毫米'
      ? 2
      : 0
  if (length === 0) return null
  const [per = '', time = ''] = tokens.slice(at + length, at + length + 2).map(({ text }) => text)
  const isSpeed =
    (per === '/' && (time === 's' || time === 'sec' || time === '秒')) ||
    per + time === '每秒' ||
    per + time === 'persecond'
  return isSpeed ? { unit: 'speed', length: length + 2 } : { unit: 'mm', length }
}

function withUnits(tokens: readonly Token[]): Token[] {
  const out: Token[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]
    if (token === undefined) continue
    if (
      token.text === '百' &&
      tokens[i + 1]?.text === '分' &&
      tokens[i + 2]?.text === '之' &&
      tokens[i + 3]?.number !== undefined
    ) {
      out.push({ ...tokens[i + 3], text: `${tokens[i + 3]?.text ?? ''}%`, unit: 'percent' })
      i += 3
      continue
    }
    const unit = token.number === undefined ? null : unitAt(tokens, i + 1)
    if (unit === null || token.number === undefined) {
      out.push(token)
      continue
    }
    const number = unit.isFahrenheit ? Math.round(((token.number - 32) * 5) / 9) : token.number
    out.push({ text: token.text, number, unit: unit.unit })
    i += unit.length
  }
  return out
}
