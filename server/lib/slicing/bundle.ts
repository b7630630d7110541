/** What a section of a bundle says, by key. */
export type Values = ReadonlyMap<string, string>

/** A vendor's profiles as PrusaSlicer has them in one file, as they stand there: what is inherited is not yet in them. */
export interface Bundle {
  readonly models: ReadonlyMap<string, Values>
  readonly printers: ReadonlyMap<string, Values>
  readonly prints: ReadonlyMap<string, Values>
  readonly filaments: ReadonlyMap<string, Values>
}

/** The largest file that is read, and the most sections of one. */
export const BUNDLE_BYTES = 8 * 1_048_576
const MOST_SECTIONS = 10_000
const LONGEST_VALUE = 65_536
const DEEPEST = 40

const KINDS = {
  printer_model: 'models',
  printer: 'printers',
  print: 'prints',
  filament: 'filaments',
} as const
type Kind = keyof typeof KINDS
const isKind = (word: string): word is Kind => Object.hasOwn(KINDS, word)

/** Reads a bundle; what is no line of one is left out, and so is all that is for resin. */
export function readBundle(content: string): Bundle {
  const found = {
    models: new Map<string, Values>(),
    printers: new Map<string, Values>(),
    prints: new Map<string, Values>(),
    filaments: new Map<string, Values>(),
  }
  let count = 0
  let section: Map<string, string> | null = null
  for (const whole of content.split('\n')) {
    const line = whole.trim()
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    if (line.startsWith('[') && line.endsWith(']')) {
      const at = line.indexOf(':')
      const kind = line.slice(1, at)
      section = null
      if (at < 0 || !isKind(kind) || ++count > MOST_SECTIONS) continue
      section = new Map()
      found[KINDS[kind]].set(line.slice(at + 1, -1).trim(), section)
      continue
    }
    const at = line.indexOf('=')
    const key = line.slice(0, at).trim()
    const value = line.slice(at + 1).trim()
    if (section && at > 0 && /^[a-z0-9_]{1,100}$/.test(key) && value.length <= LONGEST_VALUE)
      section.set(key, value)
  }
  return found
}

/** Says of itself, of no heir. */
const OWN = new Set(['inherits', 'alias', 'renamed_from'])

/** A section with all that it inherits: parents from left to right, what it says itself last. One that names itself on the way inherits no more. */
export function withParents(sections: ReadonlyMap<string, Values>, name: string): Map<string, string> {
  const all = new Map<string, string>()
  gather(sections, name, [], all)
  return all
}

function gather(
  sections: ReadonlyMap<string, Values>,
  name: string,
  way: readonly string[],
  into: Map<string, string>,
): void {
  const own = sections.get(name)
  if (own === undefined || way.includes(name) || way.length > DEEPEST) return
  for (const parent of (own.get('inherits') ?? '').split(';'))
    if (parent.trim() !== '') gather(sections, parent.trim(), [...way, name], into)
  for (const [key, value] of own) if (!OWN.has(key) || way.length === 0) into.set(key, value)
}

/** One that others inherit from, and nobody chooses. */
export const isAbstract = (name: string) => name.startsWith('*') && name.endsWith('*')

/** A list as bundles write it: names in quotes or not, by semicolon. */
export const namesIn = (value: string | undefined): string[] =>
  (value ?? '')
    .split(';')
    .map((name) => name.trim().replace(/^"(.{0,1000})"$/, '$1'))
    .filter((name) => name !== '')

/** Numbers or words by comma. */
export const listIn = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
