import { boxOf } from './mend.ts'
import type { Triangles } from './mesh.ts'
import { normalOf } from './stl.ts'

const MARGIN = 0.08
/** From the front, the right and above, as slicers show a plate. */
const YAW = Math.PI / 6
const PITCH = Math.PI / 5

/** A small picture of a mesh: RGBA, transparent around it. */
export function pictureOf(triangles: Triangles, pixels: number): Uint8Array<ArrayBuffer> {
  const image = new Uint8Array(4 * pixels * pixels)
  const depth = new Float32Array(pixels * pixels).fill(-Infinity)
  const { min, max } = boxOf(triangles)
  const middle = [0, 1, 2].map((axis) => ((min[axis] ?? 0) + (max[axis] ?? 0)) / 2)
  const reach = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2
  const scale = ((1 - 2 * MARGIN) * pixels) / 2 / reach
  const t = new Float32Array(9)
  for (let at = 0; at < triangles.length; at += 9) {
    for (let n = 0; n < 9; n += 3) {
      const [x, y, z] = [0, 1, 2].map(
        (axis) => ((triangles[at + n + axis] ?? 0) - (middle[axis] ?? 0)) * scale,
      )
      seen(x ?? 0, y ?? 0, z ?? 0, t, n, pixels / 2)
    }
    const { normal, area } = normalOf(t)
    // screen Y points down, which turns what faces us
    const light = area === 0 ? 0 : Math.max(0, (0.4 * -normal[0] + 0.6 * normal[1] + 0.7 * -normal[2]) / area)
    fill(t, Math.round(90 + 130 * Math.min(1, light)), { image, depth, pixels })
  }
  return image
}

function seen(x: number, y: number, z: number, into: Float32Array, at: number, half: number): void {
  const [right, away] = [x * Math.cos(YAW) - y * Math.sin(YAW), x * Math.sin(YAW) + y * Math.cos(YAW)]
  into[at] = half + right
  into[at + 1] = half - (z * Math.cos(PITCH) + away * Math.sin(PITCH))
  into[at + 2] = z * Math.sin(PITCH) - away * Math.cos(PITCH)
}

interface Canvas {
  readonly image: Uint8Array
  readonly depth: Float32Array
  readonly pixels: number
}

/** Fills the pixels of a triangle that nothing nearer covers. */
function fill(t: Float32Array, tone: number, { image, depth, pixels }: Canvas): void {
  const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0, cx = 0, cy = 0, cz = 0] = t
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
  if (area === 0) return
  const from = (value: number) => Math.max(0, Math.floor(value))
  const to = (value: number) => Math.min(pixels - 1, Math.ceil(value))
  for (let y = from(Math.min(ay, by, cy)); y <= to(Math.max(ay, by, cy)); y++)
    for (let x = from(Math.min(ax, bx, cx)); x <= to(Math.max(ax, bx, cx)); x++) {
      const v = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
      const w = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
      if (v < 0 || w < 0 || v + w > 1) continue
      const z = az + v * (bz - az) + w * (cz - az)
      const at = y * pixels + x
      if (z <= (depth[at] ?? 0)) continue
      depth[at] = z
      image.set([tone, Math.min(255, tone + 12), Math.min(255, tone + 30), 255], 4 * at)
    }
}
