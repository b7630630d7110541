import { inSuite } from '../../../scripts/suites.ts'

/** Repeated, each of these is the worst that some expression, parser or cleaner can be given. */
const ALL = [
  'a',
  '0',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '\\',
  '\\"',
  '"',
  "'",
  '/',
  '/../',
  '.',
  'a.',
  '-',
  '-a',
  '_',
  '+',
  '*',
  '!',
  '@',
  'a@',
  '%',
  '%41',
  '%f0',
  '&',
  'a=&',
  '=',
  ',',
  'a, ',
  ';',
  '; a=',
  ':',
  '0:',
  '::',
  '<',
  '<a ',
  '<br ',
  '(',
  '[',
  ']',
  '{',
  '{"a":',
  '}',
  '|',
  '~',
  '\0',
  'e\u0301',
  '\u{1f600}\u200d',
  '\ud83d',
  '\ufeff',
  'İ',
  '1e',
  '-1',
  'NaN,',
  '-Infinity,',
  '__proto__',
  'http://',
  '2026-01-01T',
  'Token ',
  'bytes=0-,',
  'gzip;q=0.1,',
  'G1 X1\n',
  '\x1b[0m',
]

const UNITS = inSuite(
  ALL.filter((_, at) => at % 4 === 0),
  ALL,
)

export interface Worst {
  /** For the report. */
  readonly name: string
  /** So many characters, or one more where a unit is longer, with an end that nothing expects. */
  of(length: number): string
}

export const WORST: readonly Worst[] = UNITS.map((unit) => {
  const made = new Map<number, string>()
  const make = (length: number) => `${unit.repeat(Math.ceil((length - 1) / unit.length))}\u0001`
  return {
    name: JSON.stringify(unit),
    of(length) {
      const text = made.get(length) ?? make(length)
      made.set(length, text)
      return text
    },
  }
})

/** What may stand in a header, on one line of its own. */
export const inHeader = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '!')
