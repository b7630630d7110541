/** Draws the part as far as it has grown, layer by layer. */
import { EDGE_ANGLES, type Program } from './program.ts'
import { paint, points, type Look } from './camera-view.ts'

const MOST_SLABS = 44

/** Where the part lies; a part that came off the bed lies on its side somewhere else. */
export interface Pose {
  dx: number
  dy: number
  isTipped: boolean
}

/** The shadow and the layers of the part up to `layer`. */
export function partSvg(look: Look, program: Program, layer: number, pose: Pose): string {
  const layers = program.layers.slice(0, layer)
  if (!layers.length) return ''
  const step = Math.max(1, Math.ceil(layers.length / MOST_SLABS))
  const shapes: string[] = [gradients(look), shadow(look, program, pose, layers.length)]
  for (let i = 0; i < layers.length; i += step) {
    const top = Math.min(i + step, layers.length) - 1
    const ring = outline(look, program, top, pose)
    const tone = (i / step) % 2 ? 'url(#even)' : 'url(#odd)'
    shapes.push(
      `<polygon points="${points(ring)}" fill="${tone}" stroke="${paint(look.filament, 0.5, 0.55)}" stroke-width="0.7"/>`,
    )
  }
  const top = layers.length - 1
  shapes.push(
    `<polygon points="${points(outline(look, program, top, pose))}" fill="${paint(look.filament, 0.98)}" stroke="${paint(look.filament, 1.18)}" stroke-width="1.6"/>`,
  )
  if (top > 4 && !pose.isTipped)
    shapes.push(
      `<polygon points="${points(outline(look, program, top, pose, 0.9))}" fill="${paint(look.filament, 0.34)}"/>`,
    )
  return shapes.join('')
}

function outline(look: Look, program: Program, index: number, pose: Pose, share = 1): [number, number][] {
  const layer = program.layers[index]
  if (!layer) return []
  const ring: [number, number][] = []
  let radius = 0
  for (let i = 0; i < EDGE_ANGLES; i++) {
    radius = layer.edge[i] || radius
    const angle = ((i + 0.5) / EDGE_ANGLES) * Math.PI * 2
    const [u, v] = [radius * share * Math.cos(angle), radius * share * Math.sin(angle)]
    const x = program.centre.x + pose.dx
    const y = program.centre.y + pose.dy
    const widest = 22
    ring.push(
      pose.isTipped
        ? look.view.project(x + layer.z, y + u, widest + v)
        : look.view.project(x + u, y + v, layer.z),
    )
  }
  return ring
}

function shadow(look: Look, program: Program, pose: Pose, layers: number): string {
  const [x, y] = look.view.project(program.centre.x + pose.dx + 6, program.centre.y + pose.dy + 4, 0)
  const reach = 26 + Math.min(layers * 0.08, 14)
  return `<ellipse cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" rx="${reach * look.view.scale}" ry="${reach * look.view.scale * 0.42}" fill="url(#shade)"/>`
}

function gradients(look: Look): string {
  const side = (id: string, gain: number): string =>
    `<linearGradient id="${id}" x1="0" x2="1"><stop offset="0" stop-color="${paint(look.filament, 0.42 * gain)}"/>` +
    `<stop offset="0.3" stop-color="${paint(look.filament, 0.82 * gain)}"/><stop offset="0.62" stop-color="${paint(look.filament, 1.02 * gain)}"/>` +
    `<stop offset="1" stop-color="${paint(look.filament, 0.55 * gain)}"/></linearGradient>`
  return (
    `<defs>${side('odd', 1)}${side('even', 0.94)}<radialGradient id="shade"><stop offset="0.4" stop-color="rgba(0,0,0,0.55)"/>` +
    `<stop offset="1" stop-color="rgba(0,0,0,0)"/></radialGradient></defs>`
  )
}
