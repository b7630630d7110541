import {
  AmbientLight,
  Box3,
  type BufferGeometry,
  DirectionalLight,
  Float32BufferAttribute,
  BufferGeometry as Geometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { STLLoader } from 'three/addons/loaders/STLLoader.js'
import { bedLines } from '../../../gcode/bed.ts'
import type { Piece, Vector } from './plate.ts'

const RADIANS = Math.PI / 180
const SLACK_MM = 0.05
const PICTURE_PIXELS = 1000

/** The colours of the theme. */
export interface Colours {
  /** What the plate is drawn on. */
  readonly ground: string
  readonly edge: string
  readonly grid: string
  readonly piece: string
  readonly chosen: string
  readonly outside: string
}

export interface PlateEvents {
  readonly onChoose: (key: string | null) => void
  readonly onMove: (key: string, x: number, y: number) => void
  /** The sizes of the pieces as they stand, and which of them stand beyond the bed. */
  readonly onMeasured: (
    sizes: ReadonlyMap<string, { readonly size: Vector; readonly isOutside: boolean }>,
  ) => void
}

type Corners = readonly (readonly [number, number])[]

/** Meshes on a bed, drawn when something has changed; they are chosen by a click and moved by dragging. */
export class PlateView {
  readonly #canvas: HTMLCanvasElement
  readonly #events: PlateEvents
  readonly #renderer: WebGLRenderer
  readonly #scene = new Scene()
  readonly #camera = new PerspectiveCamera(45)
  readonly #controls: OrbitControls
  readonly #geometries = new Map<string, BufferGeometry>()
  readonly #meshes = new Map<string, Mesh<BufferGeometry, MeshStandardMaterial>>()
  readonly #edge = lines()
  readonly #grid = lines()
  #corners: Corners = []
  #height = 0
  #colours: Colours | null = null
  #chosen: string | null = null
  #dragged: { key: string; from: Vector3; at: Vector3; hasMoved: boolean } | null = null
  #waiting = 0
  #isTouched = false

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
    canvas.addEventListener('pointerdown', this.#press)
    canvas.addEventListener('pointermove', this.#drag)
    canvas.addEventListener('pointerup', this.#drop)
    canvas.addEventListener('pointercancel', this.#drop)
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

  /** Has a mesh ready: its triangles about the middle of their box. */
  know(url: string, stl: ArrayBuffer): void {
    const geometry = new STLLoader().parse(stl)
    geometry.center()
    geometry.computeVertexNormals()
    this.#geometries.set(url, geometry)
  }

  /** Shows these, of which one is chosen; of a mesh that is not known yet nothing is seen. */
  show(pieces: readonly Piece[], chosen: string | null): void {
    this.#chosen = chosen
    for (const [key, mesh] of this.#meshes)
      if (!pieces.some((piece) => piece.key === key)) {
        this.#scene.remove(mesh)
        mesh.material.dispose()
        this.#meshes.delete(key)
      }
    for (const piece of pieces) {
      const geometry = this.#geometries.get(piece.url)
      if (geometry === undefined) continue
      const mesh = this.#meshes.get(piece.key) ?? this.#add(piece.key, geometry)
      mesh.rotation.set(piece.rotate[0] * RADIANS, piece.rotate[1] * RADIANS, piece.rotate[2] * RADIANS)
      mesh.scale.set(...piece.scale)
      mesh.position.set(piece.translate[0], piece.translate[1], 0)
      ground(mesh)
    }
    this.#measure()
  }

  resize(width: number, height: number): void {
    this.#camera.aspect = width / height
    if (!this.#isTouched) this.#frame()
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio))
    this.#renderer.setSize(width, height, false)
    this.#change()
  }

  /** A picture of the plate, for the file. */
  async picture(): Promise<Blob> {
    this.#draw()
    const side = document.createElement('canvas')
    side.width = side.height = PICTURE_PIXELS
    const context = side.getContext('2d')
    if (!context) return new Blob([])
    const { width, height } = this.#canvas
    const from = Math.min(width, height)
    // A JPEG knows nothing of what shows through.
    context.fillStyle = this.#colours?.ground ?? 'white'
    context.fillRect(0, 0, PICTURE_PIXELS, PICTURE_PIXELS)
    context.drawImage(
      this.#canvas,
      (width - from) / 2,
      (height - from) / 2,
      from,
      from,
      0,
      0,
      PICTURE_PIXELS,
      PICTURE_PIXELS,
    )
    const blob = await new Promise<Blob | null>((resolve) => side.toBlob(resolve, 'image/jpeg', 0.85))
    return blob ?? new Blob([])
  }

  close(): void {
    cancelAnimationFrame(this.#waiting)
    this.#controls.dispose()
    for (const geometry of this.#geometries.values()) geometry.dispose()
    for (const { material } of this.#meshes.values()) material.dispose()
    for (const { geometry, material } of [this.#edge, this.#grid]) {
      geometry.dispose()
      material.dispose()
    }
    this.#renderer.dispose()
    this.#renderer.forceContextLoss()
  }

  #add(key: string, geometry: BufferGeometry) {
    const mesh = new Mesh(geometry, new MeshStandardMaterial({ roughness: 0.75, metalness: 0.05 }))
    mesh.name = key
    this.#meshes.set(key, mesh)
    this.#scene.add(mesh)
    return mesh
  }

  /** All of the bed is seen, until somebody looks elsewhere. */
  #frame(): void {
    if (this.#corners.length === 0) return
    const box = this.#bedBox()
    const middle = box.getCenter(new Vector3())
    const far = (box.getSize(new Vector3()).length() * 1.15) / Math.min(1, this.#camera.aspect)
    this.#controls.target.copy(middle)
    this.#camera.position.copy(middle).add(new Vector3(-0.35, -0.75, 0.6).normalize().multiplyScalar(far))
    this.#controls.update()
  }

  #bedBox(): Box3 {
    return new Box3().setFromPoints(this.#corners.map(([x, y]) => new Vector3(x, y, 0)))
  }

  #measure(): void {
    const bed = this.#bedBox()
    const sizes = new Map<string, { size: Vector; isOutside: boolean }>()
    for (const [key, mesh] of this.#meshes) {
      const box = new Box3().setFromObject(mesh, true)
      const { x, y, z } = box.getSize(new Vector3())
      const isOutside =
        box.min.x < bed.min.x - SLACK_MM ||
        box.min.y < bed.min.y - SLACK_MM ||
        box.max.x > bed.max.x + SLACK_MM ||
        box.max.y > bed.max.y + SLACK_MM ||
        z > this.#height + SLACK_MM
      sizes.set(key, { size: [x, y, z], isOutside })
      const colours = this.#colours
      if (colours === null) continue
      mesh.material.color.set(
        isOutside ? colours.outside : key === this.#chosen ? colours.chosen : colours.piece,
      )
    }
    this.#events.onMeasured(sizes)
    this.#change()
  }

  #change = () => {
    this.#waiting ||= requestAnimationFrame(() => this.#draw())
  }

  #draw(): void {
    this.#waiting = 0
    const far = this.#camera.position.distanceTo(this.#controls.target)
    this.#camera.near = Math.max(0.1, far / 500)
    this.#camera.far = far * 8 + 2_000
    this.#camera.updateProjectionMatrix()
    this.#renderer.render(this.#scene, this.#camera)
  }

  #rayOf({ clientX, clientY }: PointerEvent): Raycaster {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect()
    const at = new Vector2(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2)
    const ray = new Raycaster()
    ray.setFromCamera(at, this.#camera)
    return ray
  }

  #press = (event: PointerEvent) => {
    const ray = this.#rayOf(event)
    const [hit] = ray.intersectObjects([...this.#meshes.values()], false)
    if (hit === undefined) return
    const { name: key, position } = hit.object
    this.#dragged = { key, from: hit.point.clone(), at: position.clone(), hasMoved: false }
    this.#controls.enabled = false
    this.#canvas.setPointerCapture(event.pointerId)
    this.#events.onChoose(key)
  }

  #drag = (event: PointerEvent) => {
    const dragged = this.#dragged
    const mesh = dragged && this.#meshes.get(dragged.key)
    if (!dragged || !mesh) return
    const plane = new Plane(new Vector3(0, 0, 1), -dragged.from.z)
    const to = this.#rayOf(event).ray.intersectPlane(plane, new Vector3())
    if (to === null) return
    dragged.hasMoved = true
    mesh.position.x = dragged.at.x + to.x - dragged.from.x
    mesh.position.y = dragged.at.y + to.y - dragged.from.y
    this.#measure()
  }

  #drop = () => {
    const dragged = this.#dragged
    const mesh = dragged && this.#meshes.get(dragged.key)
    this.#dragged = null
    this.#controls.enabled = true
    if (dragged?.hasMoved && mesh) this.#events.onMove(dragged.key, mesh.position.x, mesh.position.y)
  }
}

const lines = () => new LineSegments(new Geometry(), new LineBasicMaterial())

/** Its lowest point stands on the bed. */
function ground(mesh: Mesh): void {
  mesh.position.z = 0
  mesh.updateMatrixWorld(true)
  mesh.position.z = -new Box3().setFromObject(mesh, true).min.z
}
