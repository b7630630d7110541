import type { Mesh } from 'three'
import { type Shown } from './shown.ts'
import type { Simplified } from './simplified.ts'
import { Strips } from './strips.ts'
import { endOf, type Toolpath } from './toolpath.ts'

/** Few lines for what lies below, and the last layer as it is. */
export class CoarseStrips {
  readonly #whole: Toolpath
  readonly #layers: readonly number[]
  readonly #most: number
  readonly #below: Strips
  readonly #last: Strips

  constructor(whole: Toolpath, { path, layers }: Simplified, most: number) {
    this.#whole = whole
    this.#layers = layers
    this.#most = most
    this.#below = new Strips(path)
    this.#last = new Strips(whole)
  }

  get meshes(): readonly Mesh[] {
    return [this.#below.mesh, this.#last.mesh]
  }

  set pixel(size: number) {
    this.#below.pixel = size
    this.#last.pixel = size
  }

  set withHidden(isWhole: boolean) {
    this.#last.withHidden = isWhole
  }

  show(shown: Shown): void {
    const [from, to] = shown.layers
    const begin = this.#whole.starts[to] ?? 0
    // A last layer that is too much by itself is drawn with as few lines as the others.
    const isDrawn = (shown.moves ?? endOf(this.#whole, to) - begin) <= this.#most
    this.#last.show({ ...shown, layers: [to, to] })
    this.#last.mesh.visible &&= isDrawn
    const first = this.#layers.findIndex((layer) => layer >= from)
    const last = this.#layers.findLastIndex((layer) => (isDrawn ? layer < to : layer <= to))
    if (first === -1 || last < first) this.#below.mesh.visible = false
    else this.#below.show({ ...shown, layers: [first, last], moves: null })
  }

  close(): void {
    this.#below.close()
    this.#last.close()
  }
}
