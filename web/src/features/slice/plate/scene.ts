import {
  AmbientLight,
  BufferGeometry,
  DirectionalLight,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { bedLines } from '../../../gcode/bed.ts'
import {
  arranged,
  bestTurn,
  type Cut,
  type CutPlane,
  CutPreview,
  type Piece,
  planeOf,
  type Shape,
  type Standing,
  type Vector,
} from '../meshes/index.ts'
import { Hands, type Tool } from './hands.ts'
import { heatOf } from './heat.ts'
import { squarePicture } from './picture.ts'
import {
  type Colours,
  type Corners,
  drawUnseen,
  type Measured,
  measuredOf,
  type PlateEvents,
  seeDeep,
  seeWhole,
} from './seen.ts'
import { type Body, Stock } from './stock.ts'

const RADIANS = Math.PI / 180

/** Meshes on a bed, drawn when something has changed; they are chosen by a click and moved by dragging. */
export class PlateView {
  readonly #canvas: HTMLCanvasElement
  readonly #events: PlateEvents
  readonly #renderer: WebGLRenderer
  readonly #scene = new Scene()
  readonly #camera = new PerspectiveCamera(45)
  readonly #controls: OrbitControls
  readonly #heat = heatOf()
  readonly #stock = new Stock(this.#heat.wear)
  readonly #bodies = new Map<string, Body>()
  readonly #edge = lines()
  readonly #grid = lines()
  #corners: Corners = []
  #height = 0
  #colours: Colours | null = null
  #chosen: string | null = null
  readonly #hands: Hands
  readonly #preview = new CutPreview(this.#scene)
  #cut: Cut | null = null
  #waiting = 0
  /** What was told last of what is measured. */
  #told = ''
  #isTouched = false
  #isReady = false
  #isClosed = false
  /** What drawing costs: frames so far, milliseconds of this thread in them and in the longest; when a mesh was drawn first. */
  readonly cost = { frames: 0, ms: 0, longestMs: 0, drawnAt: 0 }

  private constructor(canvas: HTMLCanvasElement, context: WebGL2RenderingContext, events: PlateEvents) {
    this.#canvas = canvas
    this.#events = events
    this.#renderer = new WebGLRenderer({ canvas, context, antialias: true })
    // Whoever asks for them waits for all that is drawn.
    this.#renderer.debug.checkShaderErrors = false
    this.#camera.up.set(0, 0, 1)
    const light = new DirectionalLight(0xffffff, 2)
    light.position.set(-0.4, -0.8, 1.2)
    this.#scene.add(new AmbientLight(0xffffff, 1.4), light, this.#edge, this.#grid, this.#stock.carrier)
    this.#controls = new OrbitControls(this.#camera, canvas)
    this.#controls.addEventListener('change', this.#change)
    this.#controls.addEventListener('start', () => void (this.#isTouched = true))
    this.#hands = new Hands({
      canvas,
      camera: this.#camera,
      controls: this.#controls,
      scene: this.#scene,
      bodies: this.#bodies,
      events,
      onChange: () => this.#measure(),
      onDraw: this.#change,
    })
    void drawUnseen(this.#renderer, context, this.#scene, this.#camera).then(() => {
      this.#isReady = true
      this.#change()
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
    for (const [key, body] of this.#bodies)
      if (!pieces.some((piece) => piece.key === key)) {
        this.#scene.remove(body)
        body.material.dispose()
        this.#bodies.delete(key)
        this.#stock.forget(key)
      }
    for (const { key, url, rotate, scale, translate } of pieces) {
      const body = this.#bodies.get(key) ?? this.#add(key, url)
      body?.rotation.set(rotate[0] * RADIANS, rotate[1] * RADIANS, rotate[2] * RADIANS)
      body?.scale.set(...scale)
      body?.position.set(translate[0], translate[1], 0)
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
    const parts = this.#stock.partsOf(url)
    return parts ? bestTurn(parts) : null
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
    this.#isClosed = true
    cancelAnimationFrame(this.#waiting)
    this.#hands.close()
    this.#preview.close()
    this.#controls.dispose()
    this.#stock.close()
    for (const { material } of this.#bodies.values()) material.dispose()
    for (const line of [this.#edge, this.#grid]) {
      line.geometry.dispose()
      line.material.dispose()
    }
    this.#renderer.dispose()
    this.#renderer.forceContextLoss()
  }

  #add(key: string, url: string): Body | null {
    const body = this.#stock.bodyOf(key, url)
    if (body === null) return null
    this.#bodies.set(key, body)
    this.#scene.add(body)
    return body
  }

  /** All of the bed is seen, until somebody looks elsewhere. */
  #frame(): void {
    if (this.#corners.length > 0) seeWhole(this.#camera, this.#controls, this.#corners)
  }

  #measure(): void {
    const standing = new Map<string, Standing>()
    for (const [key, body] of this.#bodies) {
      const footprint = this.#stock.footprintOf(body)
      // Its lowest point stands on the bed.
      body.position.z = -footprint.min[2]
      standing.set(key, { footprint, at: [body.position.x, body.position.y] })
    }
    const sizes = new Map<string, Measured>()
    for (const [key, one] of standing) sizes.set(key, measuredOf(one, standing, this.#corners, this.#height))
    this.#paint(sizes)
    this.#showCut()
    // While a piece is dragged little of it changes, and the page need not be drawn anew.
    const told = JSON.stringify([...sizes])
    if (told !== this.#told) this.#events.onMeasured(sizes)
    this.#told = told
    this.#change()
  }

  #showCut(): void {
    const key = this.#chosen ?? ''
    const footprint = this.#stock.knownOf(key)
    this.#preview.show(this.#cut, footprint, this.#bodies.get(key)?.position, this.#colours?.chosen ?? 'red')
  }

  #paint(sizes: ReadonlyMap<string, Measured>): void {
    const colours = this.#colours
    if (colours === null) return
    for (const [key, { material }] of this.#bodies) {
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
    if (!this.#isReady || this.#isClosed) return
    const began = performance.now()
    const isCarrying = this.cost.frames === 0 || this.#stock.carryNext()
    for (const body of this.#bodies.values()) body.visible = this.#stock.isTaken(body.url)
    seeDeep(this.#camera, this.#controls)
    this.#renderer.render(this.#scene, this.#camera)
    this.cost.frames++
    const ms = performance.now() - began
    this.cost.ms += ms
    this.cost.longestMs = Math.max(this.cost.longestMs, ms)
    if (isCarrying) this.#change()
    else if (this.#bodies.size > 0) this.cost.drawnAt ||= performance.now()
  }
}

const lines = () => new LineSegments(new BufferGeometry(), new LineBasicMaterial())
