import { fieldsOf } from '@vigil/contract/fields.ts'
import { cornersOf, type Vector } from '../../slice/meshes/index.ts'
import type { Bench } from './bench.ts'
import { boxOf, type Face, facesOf, standing } from './solid.ts'

/** Where somebody looks from, and to. */
export interface View {
  readonly from: Vector
  readonly to: Vector
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const unit = (a: Vector): Vector => {
  const length = Math.hypot(...a) || 1
  return [a[0] / length, a[1] / length, a[2] / length]
}

interface Inks {
  readonly ground: string
  readonly line: string
  /** Red, green, blue of a face that looks to the light. */
  readonly model: Vector
}
/** As a picture is drawn that goes away. */
export const INKS: Inks = { ground: '#ffffff', line: '#c9c5bc', model: [132, 146, 190] }

/** A point of the page for a point of the plate, seen without perspective, so large that all of it is in the picture. */
function lens({ from, to }: View, reach: number, side: number) {
  const ahead = unit(minus(to, from))
  const right = unit(cross(ahead, Math.abs(ahead[2]) > 0.999 ? [0, 1, 0] : [0, 0, 1]))
  const up = cross(right, ahead)
  const scale = side / (2.1 * reach)
  const project = (point: Vector) => {
    const there = minus(point, to)
    return [side / 2 + dot(there, right) * scale, side / 2 - dot(there, up) * scale] as const
  }
  return { ahead, project }
}

/** Draws the plate with its models: the farthest faces first, those that look away not at all. */
export function drawPlate(
  canvas: HTMLCanvasElement,
  bench: Bench,
  view: View,
  reach: number,
  inks = INKS,
): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const { ahead, project } = lens(view, reach, canvas.width)
  context.fillStyle = inks.ground
  context.fillRect(0, 0, canvas.width, canvas.height)
  const trace = (points: readonly Vector[]) => {
    context.beginPath()
    for (const point of points) context.lineTo(...project(point))
    context.closePath()
  }
  trace(cornersOf(bench.machine?.printable_area).map(([x, y]): Vector => [x, y, 0]))
  context.strokeStyle = inks.line
  context.lineWidth = 2
  context.stroke()
  const away = ({ a, b, c }: Face) => dot(a, ahead) + dot(b, ahead) + dot(c, ahead)
  const faces = bench
    .state()
    .models.flatMap((model) => facesOf(standing(model)))
    .filter(({ normal }) => dot(normal, ahead) < 0)
    .toSorted((one, other) => away(other) - away(one))
  for (const face of faces) {
    const light = 0.45 + 0.55 * Math.max(0, -dot(face.normal, ahead))
    context.fillStyle =
      context.strokeStyle = `rgb(${inks.model.map((part) => Math.round(part * light)).join(' ')})`
    context.lineWidth = 0.6
    trace([face.a, face.b, face.c])
    context.fill()
    context.stroke()
  }
}

const pointOf = (value: unknown): Vector => {
  const { x, y, z } = fieldsOf(value)
  return [Number(x) || 0, Number(y) || 0, Number(z) || 0]
}

/** How far the models reach from the middle of their box. */
export function reachOf(bench: Bench): number {
  const { min, max } = boxOf(bench.state().models)
  return Math.max(10, Math.hypot(max.x - min.x, max.y - min.y, max.z - min.z) / 2)
}

const PIXELS = 512

/** What `render_plate` asks for: a picture for each view. */
export function pictures(bench: Bench, views: unknown): { base64: string }[] {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = PIXELS
  return (Array.isArray(views) ? views.slice(0, 8) : []).map((view: unknown) => {
    const { camera_position, target } = fieldsOf(view)
    drawPlate(canvas, bench, { from: pointOf(camera_position), to: pointOf(target) }, reachOf(bench))
    return { base64: canvas.toDataURL('image/jpeg', 0.85) }
  })
}
