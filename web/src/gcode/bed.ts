import type { Box } from './toolpath.ts'

type Corner = readonly [x: number, y: number]

const GRID_MM = 10
const MOST_LINES = 400
const MARGIN_MM = 10

/** The corners of a bed: as the slicer says them (`0x0,220x0,…`), else a rectangle around what is printed, from the corner where it is. */
export function bedCorners(area: string | null | undefined, box: Box | null): readonly Corner[] {
  const said = (area ?? '')
    .split(',', 60)
    .map((corner) => corner.split('x', 2).map(Number))
    .flatMap(([x = Number.NaN, y = Number.NaN]): Corner[] =>
      Math.abs(x) < 10_000 && Math.abs(y) < 10_000 ? [[x, y]] : [],
    )
  if (said.length >= 3 && isWide(said)) return said
  const round = (mm: number) => Math.ceil(mm / GRID_MM) * GRID_MM
  const least = (mm: number) => Math.min(0, -round(-mm + (mm < 0 ? MARGIN_MM : 0)))
  const [x, y] = box === null ? [[0, 200] as const, [0, 200] as const] : [box.x, box.y]
  const [left, right] = [least(x[0]), round(x[1] + MARGIN_MM)]
  const [front, back] = [least(y[0]), round(y[1] + MARGIN_MM)]
  return [
    [left, front],
    [right, front],
    [right, back],
    [left, back],
  ]
}

const isWide = (corners: readonly Corner[]) =>
  [0, 1].every((axis) => {
    const all = corners.map((corner) => corner[axis] ?? 0)
    return Math.max(...all) > Math.min(...all)
  })

/** The lines of its edge and of its grid, as pairs of points: x, y, z in a row. */
export function bedLines(corners: readonly Corner[]): { edge: Float32Array; grid: Float32Array } {
  const edge = corners.flatMap(([x, y], at) => {
    const [toX, toY] = corners[(at + 1) % corners.length] ?? [0, 0]
    return [x, y, 0, toX, toY, 0]
  })
  const grid = [...gridLines(corners, 0), ...gridLines(corners, 1)]
  return { edge: Float32Array.from(edge), grid: Float32Array.from(grid) }
}

/** Lines across the bed at every ten of one axis, each as far as the bed goes there. */
function gridLines(corners: readonly Corner[], axis: 0 | 1): number[] {
  const all = corners.map((corner) => corner[axis])
  const [least, most] = [Math.min(...all), Math.max(...all)]
  const step = Math.max(GRID_MM, Math.ceil((most - least) / MOST_LINES / GRID_MM) * GRID_MM)
  const lines: number[] = []
  for (let at = Math.ceil(least / step) * step; at < most; at += step) {
    const cuts = cutsAt(corners, axis, at)
    for (let pair = 0; pair + 1 < cuts.length; pair += 2) {
      const [from = 0, to = 0] = [cuts[pair], cuts[pair + 1]]
      lines.push(...(axis === 0 ? [at, from, 0, at, to, 0] : [from, at, 0, to, at, 0]))
    }
  }
  return lines
}

/** Where the edge crosses a line, in order. */
function cutsAt(corners: readonly Corner[], axis: 0 | 1, at: number): number[] {
  const other = axis === 0 ? 1 : 0
  return corners
    .flatMap((from, index) => {
      const to = corners[(index + 1) % corners.length] ?? from
      if (from[axis] > at === to[axis] > at) return []
      const part = (at - from[axis]) / (to[axis] - from[axis])
      return [from[other] + (to[other] - from[other]) * part]
    })
    .toSorted((a, b) => a - b)
}
