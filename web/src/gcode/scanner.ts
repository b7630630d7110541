import { JUMP, OTHER, TRAVEL } from '@vigil/contract/gcode/features.ts'
import { Layers } from '@vigil/contract/gcode/layers.ts'
import { Motion } from '@vigil/contract/gcode/motion.ts'
import { remarkOf } from '@vigil/contract/gcode/remarks.ts'
import { PathBuilder, type Toolpath } from './toolpath.ts'

/** Cross-section of 1.75 mm filament, in mm². */
const FILAMENT = Math.PI * 0.875 ** 2
const THICKEST = 2
const SAME = 1e-5

/** Makes of G-code, as it comes, what is drawn of it; what it gathers is bounded by `most` moves, whatever the file says. */
export class Scanner {
  readonly #path: PathBuilder
  readonly #layers = new Layers()
  readonly #motion = new Motion({
    move: (x, y, z, filament) => this.#move(x, y, z, filament),
    home: () => this.#home(),
    remark: (bytes, from, to) => this.#remark(bytes, from, to),
  })
  #feature = OTHER
  #width: number | null = null
  #height: number | null = null

  constructor(most: number) {
    this.#path = new PathBuilder(most)
  }

  /** There is no room for more: the rest need not be read. */
  get isFull(): boolean {
    return this.#path.isFull
  }

  feed(bytes: Uint8Array): void {
    if (!this.isFull) this.#motion.feed(bytes)
  }

  end(): Toolpath {
    const isWhole = !this.isFull
    this.#motion.end()
    return this.#path.path(this.#layers.starts, this.#layers.heights, isWhole)
  }

  #remark(bytes: Uint8Array, from: number, to: number): void {
    const remark = remarkOf(bytes, from, to)
    if (remark === null) return
    if (remark.says === 'layer') this.#layers.announce(this.#path.count)
    else if (remark.says === 'feature') this.#feature = remark.feature
    else if (remark.says === 'width') this.#width = remark.mm > 0 ? remark.mm : null
    else this.#height = remark.mm > 0 && remark.mm < THICKEST ? remark.mm : null
  }

  #move(x: number, y: number, z: number, filament: number): void {
    const { at, tool, speed } = this.#motion
    const [fromX = 0, fromY = 0, fromZ = 0] = at
    const length = Math.hypot(x - fromX, y - fromY, z - fromZ)
    if (length < SAME) return
    const isLaid = filament > 0 && Math.hypot(x - fromX, y - fromY) > SAME
    if (isLaid && !this.isFull) this.#layers.lay(this.#path.count, z)
    const width = isLaid ? this.#widthOf(filament / length, z) : 0
    this.#path.add(x, y, z, { feature: isLaid ? this.#feature : TRAVEL, tool, width, speed })
  }

  /** As the slicer says, or as wide as so much filament for each mm gets at the height of this layer. */
  #widthOf(filament: number, z: number): number {
    if (this.#width !== null) return Math.min(this.#width, 2.5)
    const step = z - this.#layers.below(z)
    const height = this.#height ?? (step > 0.01 && step < THICKEST ? step : 0.2)
    return Math.min(2.5, Math.max(0.05, (filament * FILAMENT) / height + height * (1 - Math.PI / 4)))
  }

  /** Nobody knows where the switches are, so it is drawn from there on. */
  #home(): void {
    const [x = 0, y = 0, z = 0] = this.#motion.at
    this.#path.add(x, y, z, { feature: JUMP, tool: this.#motion.tool, width: 0, speed: 0 })
  }
}
