/** Largest file of a mesh that is read. */
export const MESH_BYTES = 100 * 1_048_576
/** Most triangles of one mesh, and of all that are sliced at once. */
export const MESH_TRIANGLES = 3_000_000
/** Farther from the origin no printer reaches, and the numbers of an STL get coarse. */
const FARTHEST_MM = 1_000_000

/** Why a mesh is refused: the keys of their sentences (`slice-server`, `mesh.*`). */
export type Refusal =
  | 'broken'
  | 'empty'
  | 'flat'
  | 'notFinite'
  | 'gigantic'
  | 'tooLarge'
  | 'tooManyTriangles'
  | 'tooManyParts'
  | 'unknownFormat'
  | 'tooSlow'
  | 'stepUnread'
  | 'uncuttable'
  | 'tooManyToCut'
  | 'cutBeside'

/** What was mended or is odd in a mesh that is taken, with how many times. */
export interface MeshNote {
  readonly about:
    | 'count'
    | 'degenerate'
    | 'flipped'
    | 'open'
    | 'uneven'
    | 'parts'
    | 'tiny'
    | 'huge'
    | 'unchecked'
  readonly count: number
}

/** A file that holds no mesh that could be printed. */
export class BadMesh extends Error {
  override readonly name = 'BadMesh'
  readonly why: Refusal
  constructor(why: Refusal, options?: ErrorOptions) {
    super(`a mesh was refused: ${why}`, options)
    this.why = why
  }
}

/** Triangles one after the other, nine numbers each, in millimetres, Z upwards. */
export type Triangles = Float32Array<ArrayBuffer>

/** Collects triangles, refuses what is no number and more than there may be. */
export class Collector {
  #positions = new Float32Array(9 * 1024)
  #used = 0

  get count(): number {
    return this.#used / 9
  }

  /** One corner; three make a triangle. */
  corner(x: number, y: number, z: number): void {
    if (!(Math.abs(x) <= FARTHEST_MM && Math.abs(y) <= FARTHEST_MM && Math.abs(z) <= FARTHEST_MM))
      throw new BadMesh(Number.isFinite(x + y + z) ? 'gigantic' : 'notFinite')
    if (this.#used + 3 > this.#positions.length) this.#grow()
    this.#positions[this.#used++] = x
    this.#positions[this.#used++] = y
    this.#positions[this.#used++] = z
  }

  #grow(): void {
    if (this.#used >= 9 * MESH_TRIANGLES) throw new BadMesh('tooManyTriangles')
    const larger = new Float32Array(Math.min(2 * this.#positions.length, 9 * MESH_TRIANGLES))
    larger.set(this.#positions)
    this.#positions = larger
  }

  /** What was collected. Raises `BadMesh` for a triangle that lacks corners, and for none at all. */
  done(): Triangles {
    if (this.#used % 9 !== 0) throw new BadMesh('broken')
    if (this.#used === 0) throw new BadMesh('empty')
    return this.#positions.subarray(0, this.#used)
  }
}
