import {
  BufferGeometry,
  ConeGeometry,
  Float32BufferAttribute,
  GLSL3,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  RawShaderMaterial,
  Vector2,
  Vector3,
} from 'three'
import { bedCorners, bedLines } from './bed.ts'
import { coloursOf, featureColour, type Paint, spanOf } from './paint.ts'
import { fragmentShader, vertexShader } from './shaders.ts'
import { movesShown, type Shown } from './shown.ts'
import type { Toolpath } from './toolpath.ts'

/** In the order in which the shader knows them. */
const PAINTS: readonly Paint[] = ['feature', 'speed', 'width', 'tool']

/** All moves, a strip each. What is not shown is neither sent anew nor looked at: the buffers are read from another place. */
export class Strips {
  readonly #path: Toolpath
  readonly #points: InstancedInterleavedBuffer
  readonly #marks: InstancedInterleavedBuffer
  readonly #geometry = new InstancedBufferGeometry()
  readonly #uniforms = {
    colours: { value: coloursOf('feature') },
    paint: { value: 0 },
    span: { value: new Vector2(0, 1) },
    withTravels: { value: false },
    travelColour: { value: colourVector(featureColour('travel')) },
    pixel: { value: 0.001 },
    withHidden: { value: true },
    lastLayer: { value: 0 },
  }
  readonly mesh: Mesh<InstancedBufferGeometry, RawShaderMaterial>
  #first = -1

  constructor(path: Toolpath) {
    this.#path = path
    this.#points = new InstancedInterleavedBuffer(path.points.subarray(0, 3 * (path.count + 1)), 3)
    this.#marks = new InstancedInterleavedBuffer(path.marks.subarray(0, 4 * path.count), 4)
    const corners = [0, -1, 0, 1, -1, 0, 0, 1, 0, 1, 1, 0]
    this.#geometry.setAttribute('position', new Float32BufferAttribute(corners, 3))
    this.#geometry.setIndex([0, 1, 2, 2, 1, 3])
    const uniforms = this.#uniforms
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader,
      fragmentShader,
      side: 2,
      uniforms,
    })
    this.mesh = new Mesh(this.#geometry, material)
    this.mesh.frustumCulled = false
  }

  /** How many mm a pixel is wide, a mm away. */
  set pixel(size: number) {
    this.#uniforms.pixel.value = size
  }

  /** False: what lies behind walls is left out, below the last layer. */
  set withHidden(isWhole: boolean) {
    this.#uniforms.withHidden.value = isWhole
  }

  get meshes(): readonly Mesh[] {
    return [this.mesh]
  }

  close(): void {
    this.#geometry.dispose()
    this.mesh.material.dispose()
  }

  /** Only so many of the moves that are shown, to see how long they take. */
  showFew(count: number): void {
    this.#geometry.instanceCount = Math.min(this.#path.count - this.#first, count)
    this.mesh.visible = count > 0
  }

  show(shown: Shown): void {
    this.#show(movesShown(this.#path, shown), shown)
  }

  #show([first, end]: readonly [number, number], shown: Shown): void {
    if (first !== this.#first) {
      this.#first = first
      const read = (name: string, from: InstancedInterleavedBuffer, size: number, at: number) =>
        this.#geometry.setAttribute(name, new InterleavedBufferAttribute(from, size, size * at))
      read('begin', this.#points, 3, first)
      read('end', this.#points, 3, first + 1)
      read('mark', this.#marks, 4, first)
    }
    this.#geometry.instanceCount = end - first
    this.mesh.visible = end > first
    const { colours, paint, span, withTravels, lastLayer } = this.#uniforms
    colours.value = coloursOf(shown.paint)
    paint.value = PAINTS.indexOf(shown.paint)
    span.value.set(...spanOf(this.#path, shown.paint))
    withTravels.value = shown.withTravels
    lastLayer.value = (this.#path.starts[shown.layers[1]] ?? 0) - first
  }
}

function colourVector(hex: string): Vector3 {
  const value = Number.parseInt(hex.slice(1), 16)
  return new Vector3((value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255)
}

/** The bed: its edge and its grid, and where its middle is. */
export function bedOf(area: string | null, { box }: Toolpath) {
  const corners = bedCorners(area, box)
  const { edge, grid } = bedLines(corners)
  const of = (points: Float32Array) => {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new Float32BufferAttribute(points, 3))
    return new LineSegments(geometry, new LineBasicMaterial())
  }
  const middle = (all: number[]) => (Math.min(...all) + Math.max(...all)) / 2
  const [x, y] = [middle(corners.map((one) => one[0])), middle(corners.map((one) => one[1]))]
  const radius = Math.max(...corners.map((one) => Math.hypot(one[0] - x, one[1] - y)))
  return { edge: of(edge), grid: of(grid), x, y, radius }
}
export type Bed = ReturnType<typeof bedOf>

/** Where the nozzle stands while moves are gone through one by one: a cone with its tip there. */
export function nozzleMark() {
  const geometry = new ConeGeometry(0.7, 2, 16)
  geometry.rotateX(-Math.PI / 2)
  geometry.translate(0, 0, 1)
  return new Mesh(geometry, new MeshBasicMaterial({ transparent: true, opacity: 0.85 }))
}
