import {
  AmbientLight,
  Box3,
  BufferGeometry,
  DirectionalLight,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { bedLines } from '../../../gcode/bed.ts'
import { type Cut, type CutPlane, CutPreview, planeOf } from './cutting.ts'
import { isBeyond, isTouching, type Standing } from './footprint.ts'
import { Hands, type Tool } from './hands.ts'
import { heatOf } from './heat.ts'
import { squarePicture } from './picture.ts'
import type { Piece, Vector } from './plate.ts'
import type { Colours, Measured, PlateEvents } from './seen.ts'
import type { Shape } from './stl.ts'
import { Stock } from './stock.ts'
import { arranged, bestTurn } from './turns.ts'

const RADIANS = Math.PI / 180
const SLACK_MM = 0.05

type Corners = readonly (readonly [number, number])[]

/** Meshes on a bed, drawn when something has changed; they are chosen by a click and moved by dragging. */
export class PlateView {
  readonly #canvas: HTMLCanvasElement
  readonly #events: PlateEvents
  readonly #renderer: WebGLRenderer
  readonly #scene = new Scene()
  readonly #camera = new PerspectiveCamera(45)
  readonly #controls: OrbitControls
  readonly #stock = new Stock()
  readonly #meshes = new Map<string, Mesh<BufferGeometry, MeshStandardMaterial>>()
  readonly #edge = lines()
  readonly #grid = lines()
  #corners: Corners = []
  #height = 0
  #colours: Colours | null = null
  #chosen: string | null = null
  readonly #hands: Hands
  readonly #heat = heatOf()
  readonly #preview = new CutPreview(this.#scene)
  #cut: Cut | null = null
  #waiting = 0
  /** What was told last of what is measured. */
  #told = ''
  #isTouched = false
  /** What drawing costs: frames so far, milliseconds of this thread in them and in the longest; when a mesh was drawn first. */
  readonly cost = { frames: 0, ms: 0, longestMs: 0, drawnAt: 0 }

  private constructor(canvas: HTMLCanvasElement, context: WebGL2RenderingContext, events: PlateEvents) {
    this.#canvas = canvas
    this.#events = events
    this.#renderer = new WebGLRenderer({ canvas, context, antialias: true })
    this.#camera.up.set(0, 0, 1)
    const light = new DirectionalLight(0xffffff, 2)
    light.position.set(-0.4, -0.8, 1.2)
    this.#scene.add(new AmbientLight(0xffffff, 1.4), light, this.#edge, this.#grid)
    this.#controls = new OrbitControls(this.#camera, canvas)
    this.#controls.addEventListener('change', this.#change)
    this.#controls.addEventListener('start', () => void (this.#isTouched = true))
    this.#hands = new Hands({
      canvas,
      camera: this.#camera,
      controls: this.#controls,
      scene: this.#scene,
      meshes: this.#meshes,
      events,
      onChange: () => this.#measure(),
      onDraw: this.#change,
    })
  }

  /** Null where the browser has no WebGL 2. */
  static open(canvas: HTMLCanvasElement, events: PlateEvents): PlateView | null {
    const context = canvas.getContext('webgl2', { antialias: true, preserveDrawingBuffer: true })
    return context && new PlateView(canvas, context, events)
  }

  dress(colours: Colours): void {
    this.#colours = colours
    this.#edge.material.color.set(colours.edge)
    this.#grid.material.color.set(colours.grid)
    this.#measure()
  }

  /** A bed, seen whole. */
  stand(corners: Corners, height: number): void {
    this.#corners = corners
    this.#height = height
    const { edge, grid } = bedLines(corners)
    this.#edge.geometry.setAttribute('position', new Float32BufferAttribute(edge, 3))
    this.#grid.geometry.setAttribute('position', new Float32BufferAttribute(grid, 3))
    this.#isTouched = false
    this.#frame()
    this.#measure()
  }

  /** Has a mesh ready. */
  know(url: string, shape: Shape): void {
    this.#stock.know(url, shape)
  }

  /** Shows these, of which one is chosen; of a mesh that is not known yet nothing is seen. */
  show(pieces: readonly Piece[], chosen: string | null): void {
    this.#chosen = chosen
    for (const [key, mesh] of this.#meshes)
      if (!pieces.some((piece) => piece.key === key)) {
        this.#scene.remove(mesh)
        mesh.material.dispose()
        this.#meshes.delete(key)
        this.#stock.forget(key)
      }
    for (const piece of pieces) {
      const geometry = this.#stock.geometryOf(piece.url)
      if (geometry === undefined) continue
      const mesh = this.#meshes.get(piece.key) ?? this.#add(piece.key, geometry)
      mesh.rotation.set(piece.rotate[0] * RADIANS, piece.rotate[1] * RADIANS, piece.rotate[2] * RADIANS)
      mesh.scale.set(...piece.scale)
      mesh.position.set(piece.translate[0], piece.translate[1], 0)
    }
    this.#hands.hold(chosen)
    this.#measure()
  }

  resize(width: number, height: number): void {
    this.#camera.aspect = width / height
    if (!this.#isTouched) this.#frame()
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio))
    this.#renderer.setSize(width, height, false)
    this.#change()
  }

  /** What the hand does: moves, turns, scales, or lays a face on the bed. */
  take(tool: Tool): void {
    this.#hands.take(tool)
  }

  /** Whether what hangs over is shown. */
  heat(isShown: boolean): void {
    this.#heat.isShown.value = isShown
    this.#change()
  }

  /** Shows where the chosen piece would be cut. */
  cutAt(cut: Cut | null): void {
    this.#cut = cut
    this.#showCut()
    this.#change()
  }

  /** Where a piece is cut, as its mesh lies in its file; null while that is not known. */
  planeOf(piece: Piece, cut: Cut): CutPlane | null {
    const footprint = this.#stock.knownOf(piece.key)
    return footprint ? planeOf(piece, footprint, cut) : null
  }

  /** Where these stand side by side. */
  arranged(pieces: readonly Piece[], middle: readonly [number, number]): ReadonlyMap<string, Vector> {
    const known = pieces.flatMap(({ key }) => {
      const footprint = this.#stock.knownOf(key)
      return footprint ? [{ key, footprint }] : []
    })
    return arranged(known, middle)
  }

  /** How a piece is turned so that least of it hangs over. */
  bestTurn({ url }: Piece): Vector | null {
    const geometry = this.#stock.geometryOf(url)
    return geometry ? bestTurn(geometry) : null
  }

  /** A picture of the plate, for the file: without handles and planes. */
  async picture(): Promise<Blob> {
    const cut = this.#cut
    return await this.#hands.away(async () => {
      try {
        this.cutAt(null)
        this.#draw()
        return await squarePicture(this.#canvas, this.#colours?.ground ?? 'white')
      } finally {
        this.cutAt(cut)
      }
    })
  }

  close(): void {
    cancelAnimationFrame(this.#waiting)
    this.#hands.close()
    this.#preview.close()
    this.#controls.dispose()
    this.#stock.close()
    for (const { material } of this.#meshes.values()) material.dispose()
    for (const line of [this.#edge, this.#grid]) {
      line.geometry.dispose()
      line.material.dispose()
    }
    this.#renderer.dispose()
    this.#renderer.forceContextLoss()
  }

  #add(key: string, geometry: BufferGeometry) {
    const material = new MeshStandardMaterial({ roughness: 0.75, metalness: 0.05, flatShading: true })
    this.#heat.wear(material)
    const mesh = new Mesh(geometry, material)
    mesh.name = key
    this.#meshes.set(key, mesh)
    this.#scene.add(mesh)
    return mesh
  }

  /** All of the bed is seen, until somebody looks elsewhere. */
  #frame(): void {
    if (this.#corners.length === 0) return
    const box = new Box3().setFromPoints(this.#corners.map(([x, y]) => new Vector3(x, y, 0)))
    const middle = box.getCenter(new Vector3())
    const far = (box.getSize(new Vector3()).length() * 1.35) / Math.min(1, this.#camera.aspect)
    this.#controls.target.copy(middle)
    this.#camera.position.copy(middle).add(new Vector3(-0.35, -0.75, 0.6).normalize().multiplyScalar(far))
    this.#controls.update()
  }

  #measure(): void {
    const standing = new Map<string, Standing>()
    for (const [key, mesh] of this.#meshes) {
      const footprint = this.#stock.footprintOf(key, mesh)
      // Its lowest point stands on the bed.
      mesh.position.z = -footprint.min[2]
      standing.set(key, { footprint, at: [mesh.position.x, mesh.position.y] })
    }
    const sizes = new Map<string, Measured>()
    for (const [key, one] of standing) sizes.set(key, this.#measured(key, one, standing))
    this.#paint(sizes)
    this.#showCut()
    // While a piece is dragged little of it changes, and the page need not be drawn anew.
    const told = JSON.stringify([...sizes])
    if (told !== this.#told) this.#events.onMeasured(sizes)
    this.#told = told
    this.#change()
  }

  #measured(key: string, one: Standing, all: ReadonlyMap<string, Standing>): Measured {
    const { min, max } = one.footprint
    const size: Vector = [max[0] - min[0], max[1] - min[1], max[2] - min[2]]
    const touched = [...all].find(([other, standing]) => other !== key && isTouching(one, standing))
    return {
      size,
      isOutside: isBeyond(one, this.#corners, SLACK_MM) || size[2] > this.#height + SLACK_MM,
      touches: touched?.[0] ?? null,
    }
  }

  #showCut(): void {
    const key = this.#chosen ?? ''
    const footprint = this.#stock.knownOf(key)
    this.#preview.show(this.#cut, footprint, this.#meshes.get(key)?.position, this.#colours?.chosen ?? 'red')
  }

  #paint(sizes: ReadonlyMap<string, Measured>): void {
    const colours = this.#colours
    if (colours === null) return
    for (const [key, { material }] of this.#meshes) {
      const { isOutside = false, touches = null } = sizes.get(key) ?? {}
      const plain = key === this.#chosen ? colours.chosen : colours.piece
      material.color.set(isOutside || touches !== null ? colours.outside : plain)
    }
  }

  #change = () => {
    this.#waiting ||= requestAnimationFrame(() => this.#draw())
  }

  #draw(): void {
    this.#waiting = 0
    const began = performance.now()
    const far = this.#camera.position.distanceTo(this.#controls.target)
    this.#camera.near = Math.max(0.1, far / 500)
    this.#camera.far = far * 8 + 2_000
    this.#camera.updateProjectionMatrix()
    this.#renderer.render(this.#scene, this.#camera)
    this.cost.frames++
    const ms = performance.now() - began
    this.cost.ms += ms
    this.cost.longestMs = Math.max(this.cost.longestMs, ms)
    if (this.#meshes.size > 0) this.cost.drawnAt ||= performance.now()
  }
}

const lines = () => new LineSegments(new BufferGeometry(), new LineBasicMaterial())
