import { clausesOf, FILLERS, type Mark, marksOf } from './marks.ts'
import { settingOf } from './table.ts'
import { byUnit, type Doubt, nearest, speedsOf, textOf, type Wish, wishOf, withoutIt } from './wishes.ts'

const EXPLAINS =
  /\b(?:explain|error|warning|mean|means|notification|message)\b|解释|警告|报错|错误|什么意思|提示/

/** A message as it is understood. */
export interface Reading {
  readonly isUndo: boolean
  /** Why; about one setting or about all of the last change. */
  readonly why: { readonly key: string | null } | null
  readonly isPlate: boolean
  readonly isHelp: boolean
  readonly said: number | null
  readonly reads: readonly string[]
  readonly intents: readonly string[]
  readonly materials: readonly string[]
  readonly wishes: readonly Wish[]
  readonly doubts: readonly Doubt[]
}

/** Reads a message of a person. */
export function readMessage(text: string): Reading {
  const short = text.slice(0, 2_000)
  const isExplained = EXPLAINS.test(short.toLowerCase().slice(0, 2_000))
  const said = isExplained
    ? marksOf(short, ({ kind }) => kind === 'said').find((mark) => mark.kind === 'said')
    : undefined
  const marks = marksOf(short, ({ kind }) => kind !== 'said')
  const has = (kind: Mark['kind']) => marks.some((mark) => mark.kind === kind)
  const settings = marks.flatMap((mark) => (mark.kind === 'setting' ? [mark.key] : []))
  const clauses = clausesOf(marks).map(readClause)
  const wishes = clauses.flatMap((one) => one.wishes)
  const isAsked = isAskedWhether(short, has('whether'))
  const doubts = clauses.flatMap((one) => one.doubts)
  const rules = wishes.flatMap((wish) => (wish.kind === 'rule' ? [wish.id] : []))
  const sets = wishes.flatMap((wish) => (wish.kind === 'rule' ? [] : [wish.key]))
  const isQuestion = isAsked && wishes.length > 0 && !has('plate')
  return {
    isUndo: has('undo'),
    why: has('why') ? { key: settings[0] ?? null } : null,
    isPlate: has('plate'),
    isHelp: has('help'),
    said: said?.kind === 'said' ? said.at : null,
    reads: clauses.flatMap((one) => one.reads),
    intents: marks.flatMap((mark) => (mark.kind === 'intent' ? [mark.name] : [])),
    materials: marks.flatMap((mark) => (mark.kind === 'material' ? [mark.name] : [])),
    wishes: isQuestion ? [] : wishes,
    doubts: isQuestion
      ? [
          ...rules.map((id) => ({ kind: 'whether', id }) as const),
          ...sets.map((key) => ({ kind: 'which', key }) as const),
        ]
      : doubts,
  }
}

/** `Is it strong?` asks; `can you make it strong?` and `能不能` want it done. */
function isAskedWhether(text: string, isParticle: boolean): boolean {
  const start = text.trim().toLowerCase().slice(0, 40)
  if (isParticle)
    return (
      !/^(?:请|能|可以|帮|可否)/.test(start) &&
      !/[能可](?:以|否|不能)?.{0,4}(?:把|帮|让|设|改|加)/.test(start)
    )
  return /^(?:is|are|will|does|did|do(?! ?not|n.t)|has)\b/.test(start)
}

interface Part {
  readonly wishes: readonly Wish[]
  readonly doubts: readonly Doubt[]
  readonly reads: readonly string[]
}

type Kinds = (kind: Mark['kind']) => boolean

/** What moves nothing: a question after a value, or after advice. */
function askedIn(clause: readonly Mark[], has: Kinds): Part | null {
  if (has('keep')) return { wishes: [], doubts: [], reads: [] }
  const keys = clause.flatMap((mark) => (mark.kind === 'setting' ? [mark.key] : []))
  if (MOVING.some(has)) return null
  if (has('should')) return { wishes: [], reads: [], doubts: [{ kind: 'should', key: keys[0] ?? null }] }
  return has('what') && keys.length > 0 ? { wishes: [], doubts: [], reads: keys } : null
}
const MOVING = ['number', 'rule', 'value', 'up', 'down', 'double', 'half'] as const

function readClause(given: readonly Mark[]): Part {
  const clause = directed(given)
  const has: Kinds = (kind) => clause.some((mark) => mark.kind === kind)
  const asked = askedIn(clause, has)
  if (asked) return asked
  const wishes: Wish[] = clause.flatMap((mark): Wish[] => {
    if (mark.kind === 'value') return [{ kind: 'set', key: mark.key, op: '=', value: mark.value }]
    if (mark.kind !== 'rule') return []
    return isDenied(clause, mark) ? withoutIt(mark.id) : [{ kind: 'rule', id: mark.id }]
  })
  const doubts: Doubt[] = []
  const used = settingsIn(clause, has, { wishes, doubts })
  if (has('speeds')) wishes.push(...speedsOf(clause, used))
  for (const mark of clause) {
    if (mark.kind !== 'number' || used.has(mark)) continue
    const wish = byUnit(mark.token, clause)
    if (wish) wishes.push(wish)
    else if (wishes.length === 0) doubts.push({ kind: 'number', text: textOf(clause) })
  }
  if (wishes.length + doubts.length === 0 && isUnknown(clause, has))
    doubts.push({ kind: 'unknown', text: textOf(clause) })
  return { wishes, doubts, reads: [] }
}

/** What is to become of each setting that is named; gives the numbers that belong to one. */
function settingsIn(
  clause: readonly Mark[],
  has: Kinds,
  { wishes, doubts }: { wishes: Wish[]; doubts: Doubt[] },
): Set<Mark> {
  const used = new Set<Mark>()
  const numbers = clause.flatMap((mark) => (mark.kind === 'number' ? [mark] : []))
  const settings = clause.flatMap((mark) => (mark.kind === 'setting' ? [mark] : []))
  const isBefore = (numbers[0]?.from ?? Infinity) < (settings[0]?.from ?? -1)
  const isAside = (has('rule') || has('value')) && !has('up') && !has('down')
  for (const mark of settings) {
    if (clause.some((other) => other.kind === 'value' && other.key === mark.key)) continue
    const number = nearest(clause, mark, { numbers: numbers.filter((one) => !used.has(one)), isBefore })
    if (number) used.add(number)
    else if (isAside) continue
    const { wish, doubt } = wishOf(clause, mark, number)
    if (wish) wishes.push(...wish)
    if (doubt) doubts.push(doubt)
  }
  return used
}

/** Says nothing by itself, but that somebody wants something. */
const HELPERS: ReadonlySet<string> = new Set(
  'word number up down to by on off what should whether double half'.split(' '),
)

function isUnknown(clause: readonly Mark[], has: Kinds): boolean {
  if (clause.some(({ kind }) => !HELPERS.has(kind))) return false
  const isWord = (mark: Mark) => mark.kind === 'word' && !FILLERS.has(mark.text) && /\p{L}/u.test(mark.text)
  return clause.some(isWord) || has('up') || has('down') || has('off')
}

/** `Slow the travel speed down` is about that speed alone. */
const DIRECTIONS = new Map<string, 'up' | 'down'>([
  ['slow', 'down'],
  ['draft', 'up'],
  ['hotter', 'up'],
  ['cooler', 'down'],
])
const DIRECTED = new Set(['speed', 'degrees', 'accel'])

/** `The first layer` is its speed, its heat or its height. */
function firstLayer(clause: readonly Mark[]): readonly Mark[] {
  const isSlow = clause.some((mark) => mark.kind === 'rule' && (mark.id === 'slow' || mark.id === 'draft'))
  const units = clause.flatMap((mark) => (mark.kind === 'number' ? [mark.token.unit] : []))
  const key =
    isSlow || units.includes('speed')
      ? 'initial_layer_speed'
      : units.includes('degrees')
        ? 'nozzle_temperature_initial_layer'
        : null
  if (key === null) return clause
  return clause.map((mark) =>
    mark.kind === 'setting' && /^(?:first layer|首 层|第 一 层)$/.test(mark.text.slice(0, 20))
      ? { ...mark, key }
      : mark,
  )
}

function directed(given: readonly Mark[]): readonly Mark[] {
  const clause = firstLayer(given)
  const isNamed = clause.some(
    (mark) => mark.kind === 'setting' && DIRECTED.has(settingOf(mark.key)?.type ?? ''),
  )
  if (!isNamed) return clause
  return clause.map((mark) => {
    const kind = mark.kind === 'rule' ? DIRECTIONS.get(mark.id) : undefined
    return kind ? { kind, from: mark.from, to: mark.to, text: mark.text } : mark
  })
}

/** `not too strong`, `doesn't need to be fast` */
function isDenied(clause: readonly Mark[], rule: Mark): boolean {
  const before = clause.filter(({ to }) => to <= rule.from).slice(-4)
  return before.some(
    (mark, i) =>
      mark.kind === 'off' && before.slice(i + 1).every(({ kind }) => kind === 'word' || kind === 'on'),
  )
}
