/** Reads a real G-code file into timed steps that the physical model can run. */

export type Heater = 'extruder' | 'bed'

export type Step =
  | { kind: 'move'; seconds: number; from: Point; to: Point; filament: number; layer: number; end: number }
  | { kind: 'heat'; heater: Heater; target: number; waits: boolean; end: number }
  | { kind: 'fan'; share: number; end: number }
  | { kind: 'home'; seconds: number; end: number }
  | { kind: 'dwell'; seconds: number; end: number }

export interface Point {
  x: number
  y: number
  z: number
}

interface Layer {
  z: number
  /** The part's edge in this layer: radius in mm around `centre` for 32 equal angles. */
  edge: Float32Array
}

export interface Program {
  steps: Step[]
  /** Size of the file in bytes. */
  size: number
  layers: Layer[]
  centre: { x: number; y: number }
  maxZ: number
  /** Sum of all moves and dwells in seconds; heating comes on top. */
  seconds: number
  filament: number
}

export const EDGE_ANGLES = 32
const cache = new Map<string, Program>()

/** The program of a file; a text seen before is not read again, so that 2,000 printers can share one. */
export function readGcode(text: string): Program {
  const known = cache.get(text)
  if (known) return known
  const program = parse(text)
  if (cache.size > 8) cache.clear()
  cache.set(text, program)
  return program
}

interface Reader {
  at: Point
  e: number
  feed: number
  absolute: boolean
  absoluteE: boolean
  layer: number
  layerZ: number
  steps: Step[]
}

function parse(text: string): Program {
  const reader: Reader = {
    at: { x: 0, y: 0, z: 0 },
    e: 0,
    feed: 1500,
    absolute: true,
    absoluteE: true,
    layer: 0,
    layerZ: -1,
    steps: [],
  }
  let start = 0
  while (start < text.length) {
    let stop = text.indexOf('\n', start)
    if (stop < 0) stop = text.length
    readLine(reader, text.slice(start, stop), Math.min(stop + 1, text.length))
    start = stop + 1
  }
  return measure(reader.steps, Buffer.byteLength(text))
}

type Numbers = (letter: string) => number | undefined
type Reading = (reader: Reader, number: Numbers, end: number) => void

/** M104 and its kin: which heater, and whether the machine waits for it. */
function heating(heater: Heater, waits: boolean): Reading {
  return (reader, number, end) => {
    reader.steps.push({ kind: 'heat', heater, target: number('S') ?? number('R') ?? 0, waits, end })
  }
}

const READINGS: Record<string, Reading> = {
  G0: readMove,
  G00: readMove,
  G1: readMove,
  G01: readMove,
  G4: (reader, number, end) => {
    const seconds = (number('P') ?? 0) / 1000 + (number('S') ?? 0)
    reader.steps.push({ kind: 'dwell', seconds, end })
  },
  G28: (reader, _number, end) => {
    reader.at = { x: 0, y: 0, z: 0 }
    reader.steps.push({ kind: 'home', seconds: 5, end })
  },
  G90: (reader) => {
    reader.absolute = reader.absoluteE = true
  },
  G91: (reader) => {
    reader.absolute = reader.absoluteE = false
  },
  M82: (reader) => {
    reader.absoluteE = true
  },
  M83: (reader) => {
    reader.absoluteE = false
  },
  G92: (reader, number) => {
    reader.e = number('E') ?? reader.e
  },
  M104: heating('extruder', false),
  M109: heating('extruder', true),
  M140: heating('bed', false),
  M190: heating('bed', true),
  M106: (reader, number, end) => {
    reader.steps.push({ kind: 'fan', share: (number('S') ?? 255) / 255, end })
  },
  M107: (reader, _number, end) => {
    reader.steps.push({ kind: 'fan', share: 0, end })
  },
}

function readLine(reader: Reader, line: string, end: number): void {
  const code = (line.split(';', 1)[0] ?? '').trim()
  if (!code) return
  const [word = '', ...rest] = code.toUpperCase().split(/\s+/)
  READINGS[word]?.(
    reader,
    (letter) => {
      const found = rest.find((one) => one.startsWith(letter) && Number.isFinite(Number(one.slice(1))))
      return found === undefined ? undefined : Number(found.slice(1))
    },
    end,
  )
}

function readMove(reader: Reader, number: Numbers, end: number): void {
  const from = reader.at
  const along = (axis: 'x' | 'y' | 'z'): number => {
    const value = number(axis.toUpperCase())
    if (value === undefined) return from[axis]
    return reader.absolute ? value : from[axis] + value
  }
  const to = { x: along('x'), y: along('y'), z: along('z') }
  const e = number('E')
  const filament = e === undefined ? 0 : reader.absoluteE ? e - reader.e : e
  if (e !== undefined) reader.e = reader.absoluteE ? e : reader.e + e
  reader.feed = number('F') ?? reader.feed
  const length = Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z) || Math.abs(filament)
  if (filament > 0 && (to.x !== from.x || to.y !== from.y) && to.z > reader.layerZ + 0.01) {
    reader.layer += 1
    reader.layerZ = to.z
  }
  reader.at = to
  if (!length) return
  const seconds = length / Math.max(reader.feed / 60, 0.1)
  reader.steps.push({ kind: 'move', seconds, from, to, filament, layer: reader.layer, end })
}

function measure(steps: Step[], size: number): Program {
  const program: Program = {
    steps,
    size,
    layers: [],
    centre: { x: 110, y: 110 },
    maxZ: 0,
    seconds: 0,
    filament: 0,
  }
  const drawn = steps.filter((step) => step.kind === 'move' && step.filament > 0 && step.layer > 0)
  let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const step of drawn) {
    if (step.kind !== 'move') continue
    minX = Math.min(minX, step.to.x)
    maxX = Math.max(maxX, step.to.x)
    minY = Math.min(minY, step.to.y)
    maxY = Math.max(maxY, step.to.y)
  }
  if (drawn.length) program.centre = { x: (minX + maxX) / 2, y: (minY + maxY) / 2 }
  for (const step of steps) {
    if ('seconds' in step) program.seconds += step.seconds
    if (step.kind !== 'move') continue
    program.filament += step.filament
    if (step.filament <= 0 || step.layer === 0) continue
    program.maxZ = Math.max(program.maxZ, step.to.z)
    widen(program, step.layer, step.to)
  }
  return program
}

function widen(program: Program, number: number, point: Point): void {
  const layer = (program.layers[number - 1] ??= { z: point.z, edge: new Float32Array(EDGE_ANGLES) })
  const dx = point.x - program.centre.x
  const dy = point.y - program.centre.y
  const slot = Math.floor(((Math.atan2(dy, dx) / (Math.PI * 2) + 1) % 1) * EDGE_ANGLES) % EDGE_ANGLES
  layer.edge[slot] = Math.max(layer.edge[slot] ?? 0, Math.hypot(dx, dy))
}
