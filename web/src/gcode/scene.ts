import { PerspectiveCamera, Scene, Vector3, WebGLRenderer, type Mesh } from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { movesShown, type Shown } from './shown.ts'
import { simplified, type Simplified } from './simplified.ts'
import { type Bed, bedOf, nozzleMark, Strips } from './strips.ts'
import { type Box, type Toolpath, endOf } from './toolpath.ts'

/** Few lines for what lies below, and the last layer as it is. */
class CoarseStrips {
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

/** The colours of what is not printed, of the theme. */
export interface Ground {
  readonly edge: string
  readonly grid: string
  readonly nozzle: string
}

const FIELD_DEGREES = 40
const TANGENT = Math.tan((FIELD_DEGREES * Math.PI) / 360)
const MOST_PIXELS = 2
/** A frame that comes so late is more than these graphics can do: while things move, less is drawn from then on. */
const LATE_MS = 60
/** Nothing has changed for so long: it stands still. */
const STILL_MS = 180

/** So many moves tell how long one takes; a file with fewer is drawn whole by anything. */
const TRIED_MOVES = 5_000
const TRIES = 3
/** A frame may take so long. Graphics that need longer for the whole file get fewer lines. */
const FRAME_MS = 150
const FEWEST_MOVES = 15_000

/** What a view draws, and whom it tells that the graphics have gone or are back, and that they are too slow for all of it. */
export interface ViewOf {
  readonly path: Toolpath
  readonly bedArea: string | null
  readonly onLost: (isLost: boolean) => void
  readonly onFewer: () => void
}

/** Draws a toolpath on a canvas with WebGL 2: a frame when something has changed, and none otherwise. */
export class View {
  readonly #canvas: HTMLCanvasElement
  readonly #of: ViewOf
  readonly #renderer: WebGLRenderer
  readonly #scene = new Scene()
  readonly #camera = new PerspectiveCamera(FIELD_DEGREES)
  readonly #controls: OrbitControls
  #strips: Strips | CoarseStrips
  #isTried = false
  #shown: Shown | null = null
  readonly #bed: Bed
  readonly #nozzle = nozzleMark()
  #waiting = 0
  #isLost = false
  #isSlow = false
  #isMoving = false
  #changedAt = 0
  #settling: ReturnType<typeof setTimeout> | undefined
  #size = { width: 1, height: 1, ratio: 0 }
  /** What drawing costs: frames so far, milliseconds of this thread in them, draw calls of the last one. */
  readonly cost = { frames: 0, ms: 0, calls: 0 }

  private constructor(canvas: HTMLCanvasElement, context: WebGL2RenderingContext, of: ViewOf) {
    this.#canvas = canvas
    this.#of = of
    this.#renderer = new WebGLRenderer({ canvas, context })
    this.#strips = new Strips(of.path)
    this.#bed = bedOf(of.bedArea, of.path)
    this.#camera.up.set(0, 0, 1)
    this.#scene.add(this.#bed.grid, this.#bed.edge, ...this.#strips.meshes, this.#nozzle)
    this.#controls = new OrbitControls(this.#camera, canvas)
    this.#controls.zoomToCursor = true
    this.#controls.addEventListener('change', this.#change)
    canvas.addEventListener('webglcontextlost', this.#lose)
    canvas.addEventListener('webglcontextrestored', this.#restore)
  }

  /** Null where the browser has no WebGL 2. */
  static open(canvas: HTMLCanvasElement, of: ViewOf): View | null {
    const context = canvas.getContext('webgl2', { antialias: true, powerPreference: 'low-power' })
    return context && new View(canvas, context, of)
  }

  show(shown: Shown): void {
    this.#shown = shown
    this.#strips.show(shown)
    const [, end] = movesShown(this.#of.path, shown)
    const [x = 0, y = 0, z = 0] = this.#of.path.points.subarray(3 * end, 3 * end + 3)
    this.#nozzle.visible = shown.moves !== null
    this.#nozzle.position.set(x, y, z)
    this.#change()
  }

  dress({ edge, grid, nozzle }: Ground): void {
    this.#bed.edge.material.color.set(edge)
    this.#bed.grid.material.color.set(grid)
    this.#nozzle.material.color.set(nozzle)
    this.#change()
  }

  /** Looks at the whole, from the front or straight down on it. */
  look(from: 'front' | 'top'): void {
    const { target, size } = wholeOf(this.#of.path.box, this.#bed)
    const far = (size * 1.15) / (TANGENT * Math.min(1, this.#camera.aspect))
    const away = from === 'top' ? new Vector3(0, -0.0001, 1) : new Vector3(-0.45, -0.75, 0.55).normalize()
    this.#controls.target.copy(target)
    this.#camera.position.copy(target).addScaledVector(away, far)
    this.#controls.minDistance = 1
    this.#controls.maxDistance = far * 8 + this.#bed.radius * 4
    this.#controls.update()
    this.#change()
  }

  resize(width: number, height: number): void {
    this.#camera.aspect = width / height
    this.#size = { width, height, ratio: 0 }
    this.#change()
  }

  close(): void {
    cancelAnimationFrame(this.#waiting)
    clearTimeout(this.#settling)
    this.#isLost = true
    this.#canvas.removeEventListener('webglcontextlost', this.#lose)
    this.#canvas.removeEventListener('webglcontextrestored', this.#restore)
    this.#controls.dispose()
    this.#strips.close()
    for (const { geometry, material } of [this.#bed.edge, this.#bed.grid, this.#nozzle]) {
      geometry.dispose()
      material.dispose()
    }
    this.#renderer.dispose()
    this.#renderer.forceContextLoss()
  }

  #change = () => {
    const now = performance.now()
    this.#isMoving = now - this.#changedAt < STILL_MS
    this.#changedAt = now
    this.#waiting ||= requestAnimationFrame(() => this.#draw(now))
  }

  #draw(wantedAt: number): void {
    this.#waiting = 0
    if (this.#isLost) return
    const began = performance.now()
    this.#isSlow ||= began - wantedAt > LATE_MS
    const isLess = this.#isSlow && this.#isMoving
    this.#setDetail(isLess)
    const far = this.#camera.position.distanceTo(this.#controls.target)
    this.#camera.near = Math.max(0.1, far / 500)
    this.#camera.far = (far + this.#bed.radius) * 4
    this.#camera.updateProjectionMatrix()
    this.#nozzle.scale.setScalar(far / 60)
    if (!this.#isTried && this.#shown !== null) this.#tryOut(this.#shown)
    this.#renderer.render(this.#scene, this.#camera)
    this.cost.frames++
    this.cost.ms += performance.now() - began
    this.cost.calls = this.#renderer.info.render.calls
    clearTimeout(this.#settling)
    if (isLess) this.#settling = setTimeout(this.#change, STILL_MS + 20)
  }

  /** Draws some moves to see how long all of them would take; where that is too long, fewer lines stand for them from now on. */
  #tryOut(shown: Shown): void {
    this.#isTried = true
    const { path, onFewer } = this.#of
    if (!(this.#strips instanceof Strips) || path.count <= TRIED_MOVES || path.starts.length === 0) return
    // The first also makes what the graphics need for any. Others work on this machine, too: the best of some tells.
    this.#msFor(TRIED_MOVES)
    const best = (moves: number) => Math.min(...Array.from({ length: TRIES }, () => this.#msFor(moves)))
    const empty = best(0)
    const each = Math.max(0, best(TRIED_MOVES) - empty) / TRIED_MOVES
    if (empty + each * path.count > FRAME_MS) {
      const most = Math.max(FEWEST_MOVES, Math.floor(Math.max(0, FRAME_MS - empty) / each))
      this.#strips.close()
      this.#scene.remove(...this.#strips.meshes)
      this.#strips = new CoarseStrips(path, simplified(path, most), most)
      this.#scene.add(...this.#strips.meshes)
      this.#size.ratio = 0
      this.#setDetail(false)
      onFewer()
    }
    this.#strips.show(shown)
  }

  /** How long so many moves take until they are drawn: a pixel that is read back waits for them. */
  #msFor(moves: number): number {
    if (this.#strips instanceof Strips) this.#strips.showFew(moves)
    const began = performance.now()
    this.#renderer.render(this.#scene, this.#camera)
    const gl = this.#renderer.getContext()
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
    return performance.now() - began
  }

  /** All of it as sharp as the screen is; or half as sharp, and without what is hidden behind walls. */
  #setDetail(isLess: boolean): void {
    const { width, height } = this.#size
    const sharp = Math.min(MOST_PIXELS, globalThis.devicePixelRatio)
    const ratio = isLess ? sharp / 2 : sharp
    this.#strips.withHidden = !isLess
    if (ratio === this.#size.ratio) return
    this.#size.ratio = ratio
    this.#renderer.setPixelRatio(ratio)
    this.#renderer.setSize(width, height, false)
    this.#strips.pixel = (2 * TANGENT) / (height * ratio)
  }

  /** Prevented, so that the browser gives the graphics back; all that is drawn is still here then. */
  #lose = (event: Event) => {
    event.preventDefault()
    this.#isLost = true
    this.#of.onLost(true)
  }

  #restore = () => {
    this.#isLost = false
    this.#of.onLost(false)
    this.#change()
  }
}

/** The middle of what is printed, and how far it reaches from there; the bed where nothing is. */
function wholeOf(box: Box | null, bed: Bed): { target: Vector3; size: number } {
  if (box === null) return { target: new Vector3(bed.x, bed.y, 0), size: bed.radius }
  const spans = [box.x, box.y, box.z]
  const [x = 0, y = 0, z = 0] = spans.map(([least, most]) => (least + most) / 2)
  const size = Math.hypot(...spans.map(([least, most]) => most - least)) / 2
  return { target: new Vector3(x, y, z), size: Math.max(5, size) }
}
