import type { Vector } from './plate.ts'

export type Point = readonly [x: number, y: number]

/** What a mesh takes of the plate as it is turned and scaled, about its own middle. */
export interface Footprint {
  readonly min: Vector
  readonly max: Vector
  /** Corners of its outline from above, in turn: the farthest in so many directions. */
  readonly hull: readonly Point[]
}

/** In which an outline is looked at, in turn. */
export const DIRECTIONS = Array.from({ length: 32 }, (_, i): Point => {
  const angle = (i * Math.PI) / 16
  return [Math.cos(angle), Math.sin(angle)]
})
const HALF = DIRECTIONS.length / 2
const COSINES = Float64Array.from(DIRECTIONS, ([x]) => x)
const SINES = Float64Array.from(DIRECTIONS, ([, y]) => y)

/** A mesh as it came: neither turned nor scaled. */
export const AS_IT_CAME: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

interface Corners {
  readonly corners: Float32Array
}

/** Of the corners of a mesh, by a matrix as three keeps it. Reckoned once for each turn and scale: what is only moved costs nothing. */
export function footprintOf(parts: readonly Corners[], turn: readonly number[]): Footprint {
  const [xx = 0, yx = 0, zx = 0, , xy = 0, yy = 0, zy = 0, , xz = 0, yz = 0, zz = 0] = turn
  const outline = new Outline()
  let [low, high] = [Infinity, -Infinity]
  for (const { corners } of parts)
    for (let at = 0; at < corners.length; at += 3) {
      const [px, py, pz] = [corners[at] ?? 0, corners[at + 1] ?? 0, corners[at + 2] ?? 0]
      const z = zx * px + zy * py + zz * pz
      if (z < low) low = z
      if (z > high) high = z
      outline.add(xx * px + xy * py + xz * pz, yx * px + yy * py + yz * pz)
    }
  const { east, west, north, south } = outline
  return { min: [west, south, low], max: [east, north, high], hull: outline.hull }
}

/** The farthest points in all directions. Numbers alone: this runs a million times. */
class Outline {
  readonly #far = new Float64Array(DIRECTIONS.length).fill(-Infinity)
  readonly #xs = new Float64Array(DIRECTIONS.length)
  readonly #ys = new Float64Array(DIRECTIONS.length)

  add(x: number, y: number): void {
    // The second half of the directions is the first, turned round.
    for (let i = 0; i < HALF; i++) {
      const reach = (COSINES[i] ?? 0) * x + (SINES[i] ?? 0) * y
      if (reach > (this.#far[i] ?? 0)) this.#keep(i, reach, x, y)
      if (-reach > (this.#far[i + HALF] ?? 0)) this.#keep(i + HALF, -reach, x, y)
    }
  }

  get hull(): readonly Point[] {
    return DIRECTIONS.map((_, i) => [this.#xs[i] ?? 0, this.#ys[i] ?? 0])
  }

  get east(): number {
    return this.#far[0] ?? 0
  }

  get north(): number {
    return this.#far[HALF / 2] ?? 0
  }

  get west(): number {
    return -(this.#far[HALF] ?? 0)
  }

  get south(): number {
    return -(this.#far[HALF + HALF / 2] ?? 0)
  }

  #keep(i: number, reach: number, x: number, y: number): void {
    this.#far[i] = reach
    this.#xs[i] = x
    this.#ys[i] = y
  }
}
