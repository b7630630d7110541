/** More layers than a print can have: further ones are told as the last. */
const MOST_LAYERS = 200_000
/** Where no comment says it, what lies so much higher or lower is another layer. */
const STEP_MM = 0.04

/**
 * Finds layers: by what slicers write in comments, and where they write nothing by the height of what is laid down. A layer begins with
 * the travel that leads to it, and none is empty; what is laid down before the first one belongs to it.
 */
export class Layers {
  readonly starts: number[] = []
  readonly heights: number[] = []
  #isSaid = false
  /** The move at which a comment said that a layer begins. */
  #announced: number | null = null
  /** Behind the last move that laid something down. */
  #laidUntil = 0
  #z = Number.NaN

  /** A comment says that the next layer begins with move `at`. */
  announce(at: number): void {
    if (!this.#isSaid) {
      this.#isSaid = true
      this.starts.length = 0
      this.heights.length = 0
    }
    this.#announced = at
  }

  /** Move `at` lays something down at height `z`. */
  lay(at: number, z: number): void {
    if (this.#isSaid ? this.#announced !== null : !(Math.abs(z - this.#z) < STEP_MM))
      this.#begin(this.#announced ?? this.#laidUntil, z)
    this.#laidUntil = at + 1
  }

  /** How high the layer before the one at `z` lies; 0 below the first. */
  below(z: number): number {
    for (let at = this.heights.length - 1; at >= Math.max(0, this.heights.length - 3); at--) {
      const height = this.heights[at] ?? 0
      if (height < z - 0.001) return height
    }
    return 0
  }

  #begin(at: number, z: number): void {
    this.#announced = null
    this.#z = z
    if (this.starts.length >= MOST_LAYERS) return
    this.starts.push(this.starts.length === 0 ? 0 : at)
    this.heights.push(z)
  }
}
