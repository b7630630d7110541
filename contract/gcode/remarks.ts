import { featureOf } from './features.ts'

/** What a comment says of what follows it. */
export type Remark =
  | { readonly says: 'layer' }
  | { readonly says: 'feature'; readonly feature: number }
  | { readonly says: 'width' | 'height'; readonly mm: number }

const LONGEST = 120
const LAYER =
  /^(?:layer[_ ]?change\b|change_layer\b|layer:\s*-?\d|layer \d|-+ layer \d|begin_layer_object\b|<layer>|layer #\d)/i
const FEATURE = /^(?:type:|feature:?\s)(.+)$/i
/** KISSlicer: `'Perimeter Path', 0.6 [feed mm/s], …`. */
const QUOTED = /^('[\w ]+ path')/i
const WIDTH = /^(?:line_)?width:\s*(\d{1,3}(?:\.\d+)?)/i
const HEIGHT = /^(?:layer_)?height:\s*(\d{1,3}(?:\.\d+)?)/i
/** Bytes with which a comment that says something can begin, lower case: t, f, w, h, l, b, c, -, <, '. */
const FIRST = new Set("tfwhlbc-<';".split('').map((one) => one.charCodeAt(0)))
const [SEMICOLON, SPACE, TAB] = [59, 32, 9]

/** Reads the comment that begins at `from`, a semicolon; null where it says nothing that is drawn. */
export function remarkOf(bytes: Uint8Array, from: number, to: number): Remark | null {
  let at = from
  while (at < to && (bytes[at] === SEMICOLON || bytes[at] === SPACE || bytes[at] === TAB)) at++
  const first = bytes[at] ?? 0
  if (!FIRST.has(first >= 65 && first <= 90 ? first | 32 : first) || to - at > LONGEST) return null
  let text = ''
  for (; at < to; at++) text += String.fromCharCode(bytes[at] ?? 0)
  return read(text)
}

function read(text: string): Remark | null {
  const feature = FEATURE.exec(text)?.[1] ?? QUOTED.exec(text)?.[1]
  if (feature !== undefined) return { says: 'feature', feature: featureOf(feature) }
  if (LAYER.test(text)) return { says: 'layer' }
  const [width, height] = [WIDTH.exec(text)?.[1], HEIGHT.exec(text)?.[1]]
  if (width !== undefined) return { says: 'width', mm: Number(width) }
  return height === undefined ? null : { says: 'height', mm: Number(height) }
}
