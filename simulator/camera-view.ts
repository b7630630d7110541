/** Where the webcam stands and how it sees: a pinhole camera over the printer's own millimetres. */
import type { Point } from './program.ts'
import { seededRandom } from './random.ts'

export const WIDTH = 640
export const HEIGHT = 480

interface View {
  project: (x: number, y: number, z: number) => [number, number]
  /** Pixels per millimetre at the middle of the bed. */
  scale: number
}

/** A colour as red, green, blue from 0 to 255. */
export type Colour = readonly [number, number, number]

export interface Look {
  filament: Colour
  bed: Colour
  wall: Colour
  warmth: number
  view: View
  seed: number
}

const FILAMENTS: Colour[] = [
  [228, 226, 218],
  [236, 106, 36],
  [206, 44, 44],
  [122, 176, 66],
  [232, 190, 60],
  [200, 203, 208],
]
const BEDS: Colour[] = [
  [40, 41, 45],
  [32, 36, 44],
  [52, 50, 48],
]
const WALLS: Colour[] = [
  [104, 104, 108],
  [86, 92, 100],
  [122, 114, 104],
]

/** The look of one printer's corner of the workshop; the seed decides filament, bed, wall and camera position. */
export function chooseLook(seed: number): Look {
  const random = seededRandom(seed * 7919 + 11)
  for (let i = 0; i < 4; i++) random()
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
  const filament = seed === 1 ? (FILAMENTS[0] as Colour) : pick(FILAMENTS)
  const turn = (random() - 0.5) * 0.5
  return {
    filament,
    bed: pick(BEDS),
    wall: pick(WALLS),
    warmth: random(),
    view: placeCamera(0.42 + turn, 0.38 + random() * 0.16),
    seed,
  }
}

function placeCamera(turn: number, tilt: number): View {
  const target: Point = { x: 110, y: 112, z: 26 }
  const distance = 265
  const eye: Point = {
    x: target.x + distance * Math.sin(turn) * Math.cos(tilt),
    y: target.y - distance * Math.cos(turn) * Math.cos(tilt),
    z: target.z + distance * Math.sin(tilt),
  }
  const [sinTurn, cosTurn, sinTilt, cosTilt] = [
    Math.sin(turn),
    Math.cos(turn),
    Math.sin(tilt),
    Math.cos(tilt),
  ]
  const focus = 760
  const project = (x: number, y: number, z: number): [number, number] => {
    const [dx, dy, dz] = [x - eye.x, y - eye.y, z - eye.z]
    const right = dx * cosTurn + dy * sinTurn
    const ahead = -dx * sinTurn + dy * cosTurn
    const depth = Math.max(20, ahead * cosTilt - dz * sinTilt)
    const up = ahead * sinTilt + dz * cosTilt
    return [WIDTH / 2 + (focus * right) / depth, HEIGHT * 0.53 - (focus * up) / depth]
  }
  return { project, scale: focus / distance }
}

/** `rgb()` text of a colour, lighter or darker by `gain`. */
export function paint(colour: Colour, gain = 1, alpha = 1): string {
  const [r, g, b] = colour.map((part) => Math.max(0, Math.min(255, Math.round(part * gain))))
  return alpha === 1 ? `rgb(${r},${g},${b})` : `rgba(${r},${g},${b},${alpha.toFixed(2)})`
}

/** Points of an SVG polygon. */
export function points(list: [number, number][]): string {
  return list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
}
