import { FEATURES, JUMP, TRAVEL } from '@vigil/contract/gcode/features.ts'
import { bedCorners, bedLines } from './bed.ts'
import { colourAt } from './paint.ts'
import { movesShown, type Shown } from './shown.ts'
import { moveAt, type Toolpath } from './toolpath.ts'
import type { Ground } from './scene.ts'

const MARGIN = 12
/** More strokes than a canvas draws while a slider is moved. */
const MOST_STROKES = 150_000

/** Draws the last of the shown layers from above on a plain canvas: for browsers without WebGL. */
export function drawLayer(
  canvas: HTMLCanvasElement,
  path: Toolpath,
  { shown, bedArea, ground }: { shown: Shown; bedArea: string | null; ground: Ground },
): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const ratio = Math.min(2, globalThis.devicePixelRatio)
  const { clientWidth: width, clientHeight: height } = canvas
  canvas.width = width * ratio
  canvas.height = height * ratio
  const corners = bedCorners(bedArea, path.box)
  const place = placeOn(corners, width, height)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.lineCap = 'round'
  const { edge, grid } = bedLines(corners)
  stroke(context, grid, place, ground.grid)
  stroke(context, edge, place, ground.edge)

  const [first, end] = movesShown(path, { ...shown, layers: [shown.layers[1], shown.layers[1]] })
  for (let at = Math.max(first, end - MOST_STROKES); at < end; at++) {
    const { feature, width: wide } = moveAt(path, at)
    if (feature === JUMP || (feature === TRAVEL && !shown.withTravels)) continue
    const [x = 0, y = 0, , toX = 0, toY = 0] = path.points.subarray(3 * at, 3 * at + 6)
    context.strokeStyle = colourAt(path, at, shown.paint)
    context.lineWidth = FEATURES[feature] === 'travel' ? 0.5 : Math.max(0.75, wide * place.scale * 0.9)
    context.beginPath()
    context.moveTo(...place.of(x, y))
    context.lineTo(...place.of(toX, toY))
    context.stroke()
  }
}

interface Place {
  readonly scale: number
  readonly of: (x: number, y: number) => [number, number]
}

function placeOn(corners: readonly (readonly [number, number])[], width: number, height: number): Place {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const [left, right, front, back] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const scale = Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (back - front))
  const of = (x: number, y: number): [number, number] => [
    width / 2 + (x - (left + right) / 2) * scale,
    height / 2 - (y - (front + back) / 2) * scale,
  ]
  return { scale, of }
}

function stroke(context: CanvasRenderingContext2D, lines: Float32Array, place: Place, colour: string): void {
  context.strokeStyle = colour
  context.lineWidth = 1
  context.beginPath()
  for (let at = 0; at + 5 < lines.length; at += 6) {
    const [x = 0, y = 0, , toX = 0, toY = 0] = lines.subarray(at, at + 6)
    context.moveTo(...place.of(x, y))
    context.lineTo(...place.of(toX, toY))
  }
  context.stroke()
}
