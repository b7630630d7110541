import { BufferAttribute, BufferGeometry, type Mesh, Sphere } from 'three'
import { turnOf } from './footprint.ts'
import { AS_IT_CAME, type Footprint, footprintOf } from './outline.ts'
import type { Shape } from './stl.ts'

const RADIANS = Math.PI / 180

/** The meshes that have come, and what each piece made of them takes of the plate. */
export class Stock {
  readonly #geometries = new Map<string, BufferGeometry>()
  readonly #shapes = new Map<BufferGeometry, Shape>()
  readonly #footprints = new Map<string, { of: string; footprint: Footprint }>()

  know(url: string, shape: Shape): void {
    const { positions, radius } = shape
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3))
    // Known already: whoever draws need not look for it.
    geometry.boundingSphere = new Sphere(undefined, radius)
    this.#shapes.set(geometry, shape)
    this.#geometries.set(url, geometry)
  }

  geometryOf(url: string): BufferGeometry | undefined {
    return this.#geometries.get(url)
  }

  /** As it was reckoned last. */
  knownOf(key: string): Footprint | undefined {
    return this.#footprints.get(key)?.footprint
  }

  /** Reckoned anew only where the piece was turned or scaled. */
  footprintOf(key: string, { geometry, rotation: r, scale }: Mesh<BufferGeometry>): Footprint {
    const of = `${geometry.id} ${r.x} ${r.y} ${r.z} ${scale.x} ${scale.y} ${scale.z}`
    const known = this.#footprints.get(key)
    if (known?.of === of) return known.footprint
    const turn = turnOf([r.x / RADIANS, r.y / RADIANS, r.z / RADIANS], [scale.x, scale.y, scale.z])
    const footprint = this.#reckoned(geometry, turn.elements)
    this.#footprints.set(key, { of, footprint })
    return footprint
  }

  #reckoned(geometry: BufferGeometry, turn: readonly number[]): Footprint {
    const shape = this.#shapes.get(geometry)
    if (shape && turn.every((value, i) => value === AS_IT_CAME[i])) return shape.footprint
    return footprintOf(shape?.corners ?? new Float32Array(), turn)
  }

  /** A piece is there no more. */
  forget(key: string): void {
    this.#footprints.delete(key)
  }

  close(): void {
    for (const geometry of this.#geometries.values()) geometry.dispose()
  }
}
