import { BufferAttribute, BufferGeometry, Group, Mesh, MeshStandardMaterial, Sphere } from 'three'
import { AS_IT_CAME, type Footprint, footprintOf, type Part, type Shape, turnOf } from '../meshes/index.ts'

const RADIANS = Math.PI / 180

/** A piece as it is drawn: all parts of its mesh, in one material. */
export class Body extends Group {
  readonly url: string
  readonly material: MeshStandardMaterial

  constructor(
    key: string,
    url: string,
    geometries: readonly BufferGeometry[],
    material: MeshStandardMaterial,
  ) {
    super()
    this.name = key
    this.url = url
    this.material = material
    for (const geometry of geometries) {
      const mesh = new Mesh(geometry, material)
      mesh.name = key
      this.add(mesh)
    }
  }
}

interface Held {
  readonly shape: Shape
  readonly geometries: readonly BufferGeometry[]
}

/** The meshes that have come, and what each piece made of them takes of the plate. */
export class Stock {
  /** In the scene, so that who draws takes in what it wears: a part a frame, since all of a large mesh would hold the page. */
  readonly carrier: Mesh<BufferGeometry, MeshStandardMaterial>
  readonly #wear: (material: MeshStandardMaterial) => void
  readonly #held = new Map<string, Held>()
  readonly #footprints = new Map<string, { of: string; footprint: Footprint }>()
  readonly #coming: BufferGeometry[] = []
  /** Worn until something comes: what draws this draws that, too, and is ready by then. */
  readonly #none = geometryOf({ corners: new Float32Array(9), triangles: new Uint32Array(3) }, 0)

  /** `wear`: what all materials have besides. */
  constructor(wear: (material: MeshStandardMaterial) => void) {
    this.#wear = wear
    this.carrier = new Mesh(this.#none, this.#material())
    this.carrier.frustumCulled = false
  }

  know(url: string, shape: Shape): void {
    const geometries = shape.parts.map((part) => geometryOf(part, shape.radius))
    this.#held.set(url, { shape, geometries })
    this.#coming.push(...geometries)
  }

  /** A piece of a mesh; null while that has not come. */
  bodyOf(key: string, url: string): Body | null {
    const held = this.#held.get(url)
    return held ? new Body(key, url, held.geometries, this.#material()) : null
  }

  partsOf(url: string): readonly Part[] | undefined {
    return this.#held.get(url)?.shape.parts
  }

  /** Before each frame: the carrier wears the next part that nobody has drawn; false: there is none. */
  carryNext(): boolean {
    this.carrier.geometry.setDrawRange(0, Infinity)
    const next = this.#coming.shift()
    this.carrier.geometry = next ?? this.#none
    // It is taken in, and not seen.
    this.carrier.geometry.setDrawRange(0, 0)
    return next !== undefined
  }

  /** Whether all of it is taken in. */
  isTaken(url: string): boolean {
    const geometries = this.#held.get(url)?.geometries ?? []
    return !geometries.some((one) => one.drawRange.count === 0 || this.#coming.includes(one))
  }

  /** As it was reckoned last. */
  knownOf(key: string): Footprint | undefined {
    return this.#footprints.get(key)?.footprint
  }

  /** Reckoned anew only where the piece was turned or scaled. */
  footprintOf({ name: key, url, rotation: r, scale }: Body): Footprint {
    const of = `${url} ${r.x} ${r.y} ${r.z} ${scale.x} ${scale.y} ${scale.z}`
    const known = this.#footprints.get(key)
    if (known?.of === of) return known.footprint
    const turn = turnOf([r.x / RADIANS, r.y / RADIANS, r.z / RADIANS], [scale.x, scale.y, scale.z])
    const footprint = this.#reckoned(url, turn.elements)
    this.#footprints.set(key, { of, footprint })
    return footprint
  }

  #reckoned(url: string, turn: readonly number[]): Footprint {
    const shape = this.#held.get(url)?.shape
    if (shape && turn.every((value, i) => value === AS_IT_CAME[i])) return shape.footprint
    return footprintOf(shape?.parts ?? [], turn)
  }

  /** A piece is there no more. */
  forget(key: string): void {
    this.#footprints.delete(key)
  }

  #material(): MeshStandardMaterial {
    const material = new MeshStandardMaterial({ roughness: 0.75, metalness: 0.05, flatShading: true })
    this.#wear(material)
    return material
  }

  close(): void {
    for (const { geometries } of this.#held.values()) for (const geometry of geometries) geometry.dispose()
    this.#none.dispose()
    this.carrier.material.dispose()
  }
}

function geometryOf({ corners, triangles }: Part, radius: number): BufferGeometry {
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(corners, 3))
  geometry.setIndex(new BufferAttribute(triangles, 1))
  // Known already: whoever draws need not look for it.
  geometry.boundingSphere = new Sphere(undefined, radius)
  return geometry
}
