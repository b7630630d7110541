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

function readClause(given: readonly Mark[]): Part {
  const clause = directed(given)
  const has = (kind: Mark['kind']) => clause.some((mark) => mark.kind === kind)
  if (has('keep')) return { wishes: [], doubts: [], reads: [] }
  const numbers = clause.flatMap((mark) => (mark.kind === 'number' ? [mark] : []))
  const rules = clause.flatMap((mark) => (mark.kind === 'rule' && !isDenied(clause, mark) ? [mark.id] : []))
  const settings = clause.flatMap((mark) => (mark.kind === 'setting' ? [mark] : []))
  const values = clause.flatMap((mark) => (mark.kind === 'value' ? [mark] : []))
  const isMoved =
    numbers.length + rules.length + values.length > 0 ||
    ['up', 'down', 'double', 'half'].some((kind) => clause.some((mark) => mark.kind === kind))
  if (has('should') && !isMoved)
    return { wishes: [], reads: [], doubts: [{ kind: 'should', key: settings[0]?.key ?? null }] }
  if (has('what') && !isMoved && settings.length > 0)
    return { wishes: [], doubts: [], reads: settings.map(({ key }) => key) }
  const used = new Set<Mark>()
  const wishes: Wish[] = rules.map((id) => ({ kind: 'rule', id }))
  for (const mark of clause)
    if (mark.kind === 'rule' && isDenied(clause, mark)) wishes.push(...withoutIt(mark.id))
  const doubts: Doubt[] = []
  for (const { key, value } of values) wishes.push({ kind: 'set', key, op: '=', value })
  const isBefore = (numbers[0]?.from ?? Infinity) < (settings[0]?.from ?? -1)
  for (const mark of settings) {
    if (values.some(({ key }) => key === mark.key)) continue
    const number = nearest(clause, mark, { numbers: numbers.filter((one) => !used.has(one)), isBefore })
    if (number) used.add(number)
    const isRest = number === undefined && (rules.length > 0 || values.length > 0)
    if (isRest && !has('up') && !has('down')) continue
    const { wish, doubt } = wishOf(clause, mark, number)
    if (wish) wishes.push(...wish)
    if (doubt) doubts.push(doubt)
  }
  if (has('speeds')) wishes.push(...speedsOf(clause, used))
  for (const number of numbers.filter((one) => !used.has(one))) {
    const wish = byUnit(number.token, clause)
    if (wish) wishes.push(wish)
    else if (rules.length + wishes.length === 0) doubts.push({ kind: 'number', text: textOf(clause) })
  }
  const known = clause.some(
    ({ kind }) =>
      ![
        'word',
        'number',
        'up',
        'down',
        'to',
        'by',
        'on',
        'off',
        'what',
        'should',
        'whether',
        'double',
        'half',
      ].includes(kind),
  )
  const rest = clause.filter(
    (mark) => mark.kind === 'word' && !FILLERS.has(mark.text) && /\p{L}/u.test(mark.text),
  )
  const isUnknown =
    !known &&
    doubts.length === 0 &&
    wishes.length === 0 &&
    (rest.length > 0 || has('up') || has('down') || has('off'))
  if (isUnknown) doubts.push({ kind: 'unknown', text: textOf(clause) })
  return { wishes, doubts, reads: [] }
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
