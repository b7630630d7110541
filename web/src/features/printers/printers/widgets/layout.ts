import { fieldsOf } from '@vigil/contract/fields.ts'
/** The widgets of the control page by the numbers they have always had (docs/rules/remote.md 3, docs/rules/pages.md 2). */
export const WIDGETS = {
  print: 1,
  progress: 2,
  detection: 3,
  temperatures: 4,
  toolhead: 5,
  terminal: 6,
  display: 7,
  macros: 8,
} as const
export type WidgetName = keyof typeof WIDGETS

export interface Placed {
  name: WidgetName
  enabled: boolean
}

/** The display's message stands first: it is there only when it has something to say. */
const DEFAULT_ORDER: readonly WidgetName[] = [
  'display',
  'print',
  'progress',
  'detection',
  'temperatures',
  'toolhead',
  'macros',
  'terminal',
]

export const layoutKey = (printerId: number) => `printer-control-widgets-${printerId}`

const nameOf = (id: unknown) => DEFAULT_ORDER.find((name) => WIDGETS[name] === id)

function parse(raw: string | null): unknown[] {
  try {
    const said: unknown = JSON.parse(raw ?? '')
    return Array.isArray(said) ? said : []
  } catch {
    return []
  }
}

/** The stored layout: what is unknown or not there is left out, what is new comes last. */
export function readLayout(raw: string | null, without: readonly WidgetName[] = []): Placed[] {
  const placed = new Map<WidgetName, Placed>()
  for (const each of parse(raw)) {
    const { id, enabled } = fieldsOf(each)
    const name = nameOf(typeof id === 'string' ? Number(id) : id)
    if (name && !placed.has(name)) placed.set(name, { name, enabled: enabled !== false })
  }
  for (const name of DEFAULT_ORDER) if (!placed.has(name)) placed.set(name, { name, enabled: true })
  return [...placed.values()].filter(({ name }) => !without.includes(name))
}

export function writeLayout(layout: readonly Placed[]): string {
  return JSON.stringify(layout.map(({ name, enabled }) => ({ id: WIDGETS[name], enabled })))
}

/** The same list with one row at another place; out of bounds is the nearest end. */
export function move<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = [...list]
  const [row] = rest.splice(from, 1)
  if (row === undefined) return rest
  rest.splice(Math.min(rest.length, Math.max(0, to)), 0, row)
  return rest
}

/** Under the camera on wide screens; the others beside it. */
export const WIDE: readonly WidgetName[] = ['temperatures', 'terminal']

/** What is drawn as one card: the print's buttons and its facts, where one follows the other. */
export function grouped(names: readonly WidgetName[]): (WidgetName | 'job')[] {
  const cards: (WidgetName | 'job')[] = []
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!
    if (name === 'print' && names[at + 1] === 'progress') {
      cards.push('job')
      at++
    } else cards.push(name)
  }
  return cards
}
