import type { Commands } from './commands.ts'
import type { Comments } from './comments.ts'
import type { Area, Moved, Range } from './moves.ts'
import { aboveZero, numberOf, pick } from './values.ts'

/** How large a print is and where it lies: what the slicer says, and where it says nothing what the moves come to. */

const FIRST_LAYER_HEIGHT = [
  'first_layer_height',
  'initial_layer_print_height',
  'minz',
  'z_layer_height_first_layer_mm',
  'first_layer_thickness_mm',
  'firstsliceheight',
]
const HEIGHT = ['max_z_height', 'maxz', 'print_height_mm', 'print.size.max.z']
const COUNT = ['total layer number', 'total layers count', 'layer_count', 'layer count']
const HIGHEST_MM = 100_000
/** Of a file that is whole the moves end as high as it says, about. */
const SLACK_MM = 1
/** Lines within which ideaMaker says how thick a layer is. */
const CLOSE = 5

interface Read {
  readonly opening: Commands
  readonly ending: Commands
  readonly moved: Moved | null
}

/** Heights and layers of a print; `layer` is what the slicer calls its layer height. */
export function heightsOf(comments: Comments, layer: number | null, { opening, ending, moved }: Read) {
  const { first, lines } = comments
  // Moves that lay nothing down above the bed are of no whole file.
  const path = moved?.top == null ? null : moved
  const said = sane(pick(numberOf, first, HEIGHT)) ?? sane(boundsOf(first)?.at(-1) ?? null)
  const highest =
    said ?? highestOf([path?.top ?? null, ...told(comments)]) ?? (path === null ? sane(ending.mostZ) : null)
  const followed =
    path?.top != null && highest !== null && Math.abs(path.top - highest) <= SLACK_MM ? path : null
  const height = layer ?? thicknessOf(lines, 1) ?? followed?.layer ?? null
  const lowest =
    lowestOf(first, height) ??
    thicknessOf(lines, 0) ??
    path?.firstLayer ??
    (path === null ? sane(opening.leastZ) : null)
  const count = pick(aboveZero, first, COUNT) ?? followed?.layers ?? null
  const reckoned =
    highest !== null && height !== null
      ? Math.max(1, Math.round((highest - (lowest ?? height)) / height) + 1)
      : null
  return {
    object_height: highest,
    layer_height: height,
    first_layer_height: lowest,
    layer_count: count === null ? reckoned : Math.round(count),
  }
}

/** Of the first layer, which some slicers say as a share of the others. */
function lowestOf(first: Comments['first'], layer: number | null): number | null {
  const text = FIRST_LAYER_HEIGHT.map((key) => first(key)).find((one) => sane(numberOf(one)) !== null)
  const number = numberOf(text)
  if (number === null || !text?.trim().endsWith('%')) return sane(number)
  return layer === null ? null : sane((number / 100) * layer)
}

/** Heights that comments tell layer by layer: PrusaSlicer's last, KISSlicer's each. */
function told({ last, lines }: Comments): (number | null)[] {
  const ends = lines.flatMap(
    (line) => numberOf(/^END_LAYER_OBJECT z=(.{1,20})/.exec(line.slice(0, 60))?.[1]) ?? [],
  )
  return [numberOf(last('z')), ends.reduce<number | null>((most, one) => Math.max(most ?? one, one), null)]
}

const highestOf = (all: readonly (number | null)[]): number | null => {
  const some = all.flatMap((one) => sane(one) ?? [])
  return some.length === 0 ? null : Math.max(...some)
}

/** What ideaMaker says behind `;LAYER:n`. */
function thicknessOf(lines: readonly string[], layer: number): number | null {
  const at = lines.indexOf(`LAYER:${layer}`)
  if (at === -1) return null
  const said = lines.slice(at + 1, at + 1 + CLOSE).find((line) => line.startsWith('HEIGHT:'))
  return sane(numberOf(said))
}

/** Where on the bed it is printed, and how large the objects are: both by what is said and by the moves, whichever reaches farther. */
export function extentOf({ first }: Comments, moved: Moved | null) {
  const said = areaSaid(first)
  const [all, object] = [joined(said, moved?.box ?? null), joined(said, moved?.object ?? null)]
  return {
    min_x: all?.x[0] ?? null,
    max_x: all?.x[1] ?? null,
    min_y: all?.y[0] ?? null,
    max_y: all?.y[1] ?? null,
    object_width: object === null ? null : object.x[1] - object.x[0],
    object_depth: object === null ? null : object.y[1] - object.y[0],
  }
}

/** Cura's four numbers, ideaMaker's box. */
function areaSaid(first: Comments['first']): Area | null {
  const [fromX, toX, fromY, toY] =
    boundsOf(first) ?? ['minx', 'maxx', 'miny', 'maxy'].map((key) => numberOf(first(key)))
  const [x, y] = [range(fromX, toX), range(fromY, toY)]
  return x && y ? { x, y } : null
}

const boundsOf = (first: Comments['first']): number[] | null =>
  first('bounding box')
    ?.slice(0, 300)
    .match(/-?\d{1,15}(?:\.\d{1,15})?/g)
    ?.map(Number) ?? null

/** Where Cura's command line knows nothing it writes numbers that no printer reaches. */
const range = (from: number | null | undefined, to: number | null | undefined): Range | null =>
  from != null && to != null && to > from && from > -HIGHEST_MM && to < HIGHEST_MM ? [from, to] : null

function joined(one: Area | null, other: Area | null): Area | null {
  if (one === null || other === null) return one ?? other
  const wide = (a: Range, b: Range): Range => [Math.min(a[0], b[0]), Math.max(a[1], b[1])]
  return { x: wide(one.x, other.x), y: wide(one.y, other.y) }
}

const sane = (mm: number | null) => (mm !== null && mm > 0 && mm < HIGHEST_MM ? mm : null)
