import { BufferAttribute, BufferGeometry, type Mesh, Sphere } from 'three'
import { type Footprint, footprintOf, turnOf } from './footprint.ts'
import type { Shape } from './stl.ts'

const RADIANS = Math.PI / 180

/** The meshes that have come, and what each piece made of them takes of the plate. */
export class Stock {
  readonly #geometries = new Map<string, BufferGeometry>()
  readonly #corners = new Map<BufferGeometry, Float32Array>()
  readonly #footprints = new Map<string, { of: string; footprint: Footprint }>()

  know(url: string, { positions, corners, radius }: Shape): void {
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3))
    // Known already: whoever draws need not look for it.
    geometry.boundingSphere = new Sphere(undefined, radius)
    this.#corners.set(geometry, corners)
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
    const footprint = footprintOf(this.#corners.get(geometry) ?? new Float32Array(), turn)
    this.#footprints.set(key, { of, footprint })
    return footprint
  }

  /** A piece is there no more. */
  forget(key: string): void {
    this.#footprints.delete(key)
  }

  close(): void {
    for (const geometry of this.#geometries.values()) geometry.dispose()
  }
}
