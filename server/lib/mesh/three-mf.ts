import { type UnzipFileInfo, unzipSync } from 'fflate'
import { Parser } from 'htmlparser2'
import { BadMesh, Collector, type MeshNote, type Triangles } from './mesh.ts'

/** What a packed model may unpack to, all its files together. */
const UNPACKED_BYTES = 600 * 1_048_576
const MOST_FILES = 200
const MOST_OBJECTS = 20_000
/** Placings of objects: one that names two that name two … has no end. */
const MOST_PARTS = 20_000
const DEEPEST = 16
const CHUNK_CHARS = 65_536
const MM: Readonly<Record<string, number>> = {
  micron: 0.001,
  millimeter: 1,
  centimeter: 10,
  inch: 25.4,
  foot: 304.8,
  meter: 1000,
}
const MODELS = /^\/?3D\/.{0,200}\.model$/i

type Transform = readonly number[]
const IDENTITY: Transform = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]

interface Part {
  readonly object: string
  readonly transform: Transform
}
interface Shape {
  readonly points: number[]
  readonly corners: number[]
  readonly parts: Part[]
}
type Attributes = Readonly<Record<string, string | undefined>>

/** Reads what a 3MF would have printed, as one mesh in millimetres. Raises `BadMesh`. */
export function readThreeMf(bytes: Uint8Array<ArrayBuffer>): { triangles: Triangles; notes: MeshNote[] } {
  const reading = new Reading()
  for (const [name, model] of unpack(bytes)) reading.file(name, model)
  const { triangles, parts } = reading.build()
  return { triangles, notes: parts > 1 ? [{ about: 'parts', count: parts }] : [] }
}

function unpack(bytes: Uint8Array<ArrayBuffer>): [string, Uint8Array][] {
  let unpacked = 0
  let files = 0
  const filter = ({ name, originalSize }: UnzipFileInfo) => {
    if (!MODELS.test(name)) return false
    unpacked += originalSize
    if (unpacked > UNPACKED_BYTES || ++files > MOST_FILES) throw new BadMesh('tooLarge')
    return true
  }
  try {
    const models = Object.entries(unzipSync(bytes, { filter }))
    if (models.length === 0) throw new BadMesh('broken')
    return models.map(([name, model]) => [name.replace(/^\//, '').toLowerCase(), model])
  } catch (error) {
    throw error instanceof BadMesh ? error : new BadMesh('broken')
  }
}

/** What the files of one package say; an object is known by its file and number. */
class Reading {
  readonly #shapes = new Map<string, Shape>()
  readonly #items: Part[] = []
  #corners = 0
  /** Millimetres of a unit, by file. */
  readonly #units = new Map<string, number>()
  #parts = 0

  /** Entities of a file's own are never made anything of; who declares some is refused. */
  file(name: string, model: Uint8Array): void {
    let shape: Shape | null = null
    const open = (tag: string, given: Attributes) => {
      if (tag === 'model') this.#units.set(name, MM[given['unit'] ?? 'millimeter'] ?? 1)
      else if (tag === 'object') shape = this.#begin(`${name}#${given['id']}`)
      else if (tag === 'item') this.#place(this.#items, this.#part(name, given))
      else if (shape === null) return
      else if (tag === 'vertex') shape.points.push(Number(given['x']), Number(given['y']), Number(given['z']))
      else if (tag === 'triangle') this.#triangle(shape, given)
      else if (tag === 'component') this.#place(shape.parts, this.#part(name, given))
    }
    const parser = new Parser(
      {
        onopentag: (tag, given) => open(tag.replace(/^[^:]{0,40}:/, ''), given),
        onprocessinginstruction: (tag) => {
          if (tag.startsWith('!')) throw new BadMesh('broken')
        },
      },
      { xmlMode: true, decodeEntities: false },
    )
    const decoder = new TextDecoder()
    for (let at = 0; at < model.length; at += CHUNK_CHARS)
      parser.write(decoder.decode(model.subarray(at, at + CHUNK_CHARS), { stream: true }))
    parser.end()
  }

  #begin(id: string): Shape {
    if (this.#shapes.size >= MOST_OBJECTS) throw new BadMesh('tooManyParts')
    const shape: Shape = { points: [], corners: [], parts: [] }
    this.#shapes.set(id, shape)
    return shape
  }

  /** More than may be printed are not even held. */
  #triangle(shape: Shape, given: Attributes): void {
    if ((this.#corners += 3) > 27_000_000) throw new BadMesh('tooManyTriangles')
    shape.corners.push(Number(given['v1']), Number(given['v2']), Number(given['v3']))
  }

  #part(file: string, given: Attributes): Part {
    const path = (given['p:path'] ?? `/${file}`).replace(/^\//, '').toLowerCase()
    const words = given['transform']
      ?.trim()
      .slice(0, 1000)
      .split(/\s{1,20}/)
      .map(Number)
    if (words && words.length !== 12) throw new BadMesh('broken')
    return { object: `${path}#${given['objectid']}`, transform: words ?? IDENTITY }
  }

  #place(into: Part[], part: Part): void {
    if (into.length >= MOST_PARTS) throw new BadMesh('tooManyParts')
    into.push(part)
  }

  /** All that is to be printed, where it stands. */
  build(): { triangles: Triangles; parts: number } {
    const into = new Collector()
    let meshes = 0
    for (const item of this.#items) meshes += this.#put(into, item, 1)
    return { triangles: into.done(), parts: meshes }
  }

  #put(into: Collector, { object, transform }: Part, depth: number): number {
    if (++this.#parts > MOST_PARTS || depth > DEEPEST) throw new BadMesh('tooManyParts')
    const shape = this.#shapes.get(object)
    if (!shape) throw new BadMesh('broken')
    const mm = this.#units.get(object.split('#', 1)[0] ?? '') ?? 1
    for (const at of shape.corners) {
      const [x, y, z] = [shape.points[3 * at], shape.points[3 * at + 1], shape.points[3 * at + 2]]
      if (x === undefined || y === undefined || z === undefined) throw new BadMesh('broken')
      const [a, b, c] = moved(transform, x, y, z)
      into.corner(a * mm, b * mm, c * mm)
    }
    let meshes = shape.corners.length > 0 ? 1 : 0
    for (const part of shape.parts)
      meshes += this.#put(into, { ...part, transform: composed(part.transform, transform) }, depth + 1)
    return meshes
  }
}

const moved = (t: Transform, x: number, y: number, z: number) => {
  const [a = 1, b = 0, c = 0, d = 0, e = 1, f = 0, g = 0, h = 0, i = 1, j = 0, k = 0, l = 0] = t
  return [x * a + y * d + z * g + j, x * b + y * e + z * h + k, x * c + y * f + z * i + l] as const
}

/** The inner one first, then the outer one. */
function composed(inner: Transform, outer: Transform): Transform {
  const [j = 0, k = 0, l = 0] = outer.slice(9)
  const row = (at: number) => {
    const [x = 0, y = 0, z = 0] = inner.slice(at, at + 3)
    const [a, b, c] = moved(outer, x, y, z)
    return at === 9 ? [a, b, c] : [a - j, b - k, c - l]
  }
  return [...row(0), ...row(3), ...row(6), ...row(9)]
}
