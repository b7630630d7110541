import { DoubleSide, Matrix3, Mesh, MeshBasicMaterial, PlaneGeometry, type Scene, Vector3 } from 'three'
import { turnOf } from './footprint.ts'
import type { Footprint } from './outline.ts'
import type { Piece, Vector } from './plate.ts'

/** Where a piece is cut: across an axis of the plate, so far from its near side, in mm. */
export interface Cut {
  readonly axis: 0 | 1 | 2
  readonly at: number
}

/** The same plane as the mesh lies in its file: a normal, and how far along it from the middle of its box. */
export interface CutPlane {
  readonly normal: [number, number, number]
  readonly offset: number
}

const MARGIN_MM = 8

/** What `cut` is of a piece that takes this of the plate. */
export function planeOf({ rotate, scale }: Piece, { min }: Footprint, { axis, at }: Cut): CutPlane {
  const across = new Vector3().setComponent(axis, 1)
  const normal = across.applyMatrix3(new Matrix3().setFromMatrix4(turnOf(rotate, scale)).transpose())
  const length = normal.length()
  const { x, y, z } = normal.divideScalar(length)
  return { normal: [x, y, z], offset: (min[axis] + at) / length }
}

/** The plane that is seen through a piece before it is cut. */
export class CutPreview {
  readonly #mesh = new Mesh(
    new PlaneGeometry(1, 1),
    new MeshBasicMaterial({ transparent: true, opacity: 0.35, side: DoubleSide, depthWrite: false }),
  )

  constructor(scene: Scene) {
    this.#mesh.visible = false
    scene.add(this.#mesh)
  }

  /** Shows it where `position` is the middle of the piece; hides it without a cut. */
  show(
    cut: Cut | null,
    footprint: Footprint | undefined,
    position: Vector3 | undefined,
    colour: string,
  ): void {
    this.#mesh.visible = cut !== null && footprint !== undefined && position !== undefined
    if (cut === null || footprint === undefined || position === undefined) return
    const { min, max } = footprint
    const side = (axis: 0 | 1 | 2) => max[axis] - min[axis] + 2 * MARGIN_MM
    const { axis, at } = cut
    const [wide, deep] =
      axis === 0 ? [side(2), side(1)] : axis === 1 ? [side(0), side(2)] : [side(0), side(1)]
    this.#mesh.scale.set(wide, deep, 1)
    this.#mesh.rotation.set(axis === 1 ? Math.PI / 2 : 0, axis === 0 ? Math.PI / 2 : 0, 0)
    const middle: Vector = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2]
    this.#mesh.position.copy(position).add(new Vector3(...middle))
    this.#mesh.position.setComponent(axis, position.getComponent(axis) + min[axis] + at)
    this.#mesh.material.color.set(colour)
  }

  close(): void {
    this.#mesh.geometry.dispose()
    this.#mesh.material.dispose()
  }
}
