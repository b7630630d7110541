import {
  Matrix3,
  type Object3D,
  type PerspectiveCamera,
  Plane,
  Raycaster,
  type Scene,
  Vector2,
  Vector3,
} from 'three'
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { TransformControls } from 'three/addons/controls/TransformControls.js'
import { type Placing, type Vector } from '../meshes/index.ts'
import type { Body } from './stock.ts'

const DEGREES = 180 / Math.PI
const SNAP = Math.PI / 36

/** What the hand does with the piece that is chosen. */
export type Tool = 'translate' | 'rotate' | 'scale' | 'face' | 'cut'

interface Held {
  readonly canvas: HTMLCanvasElement
  readonly camera: PerspectiveCamera
  readonly controls: OrbitControls
  readonly scene: Scene
  readonly bodies: ReadonlyMap<string, Body>
  readonly events: {
    readonly onChoose: (key: string | null) => void
    readonly onPlace: (key: string, placing: Partial<Placing>) => void
    readonly onFace: (key: string, normal: Vector) => void
  }
  readonly onChange: () => void
  readonly onDraw: () => void
}

/** Pieces are chosen by a click, moved by dragging, turned and scaled by handles. */
export class Hands {
  readonly #of: Held
  readonly #handles: TransformControls
  #tool: Tool = 'translate'
  #chosen: string | null = null
  #dragged: { key: string; from: Vector3; at: Vector3; hasMoved: boolean } | null = null

  constructor(of: Held) {
    this.#of = of
    const { canvas, camera, controls, scene } = of
    this.#handles = new TransformControls(camera, canvas)
    this.#handles.setRotationSnap(SNAP)
    this.#handles.setSize(0.8)
    scene.add(this.#handles.getHelper())
    this.#handles.addEventListener('change', of.onDraw)
    this.#handles.addEventListener('objectChange', of.onChange)
    this.#handles.addEventListener(
      'dragging-changed',
      ({ value }) => void (controls.enabled = value !== true),
    )
    this.#handles.addEventListener('mouseUp', this.#placed)
    canvas.addEventListener('pointerdown', this.#pinch, { capture: true })
    canvas.addEventListener('pointerdown', this.#press)
    canvas.addEventListener('pointermove', this.#drag)
    canvas.addEventListener('pointerup', this.#drop)
    canvas.addEventListener('pointercancel', this.#drop)
  }

  take(tool: Tool): void {
    this.#tool = tool
    this.#handles.setMode(tool === 'face' || tool === 'cut' ? 'translate' : tool)
    // All stand on the bed.
    this.#handles.showZ = tool !== 'translate'
    this.hold(this.#chosen)
  }

  /** The piece that has the handles. */
  hold(key: string | null): void {
    this.#chosen = key
    const body = key === null ? undefined : this.#of.bodies.get(key)
    if (body === undefined || this.#tool === 'face' || this.#tool === 'cut') this.#handles.detach()
    else this.#handles.attach(body)
    this.#of.onDraw()
  }

  /** While it works there are no handles. */
  async away<T>(work: () => Promise<T>): Promise<T> {
    this.#handles.detach()
    try {
      return await work()
    } finally {
      this.hold(this.#chosen)
    }
  }

  close(): void {
    this.#handles.detach()
    this.#handles.dispose()
  }

  #placed = () => {
    const body = this.#chosen === null ? undefined : this.#of.bodies.get(this.#chosen)
    if (body === undefined || this.#chosen === null) return
    const { position: p, rotation: r, scale } = body
    const round = (value: number) => Number(value.toFixed(4))
    this.#of.events.onPlace(this.#chosen, {
      translate: [p.x, p.y, 0],
      rotate: [round(r.x * DEGREES), round(r.y * DEGREES), round(r.z * DEGREES)],
      scale: [scale.x, scale.y, scale.z],
    })
  }

  #rayOf({ clientX, clientY }: PointerEvent): Raycaster {
    const { left, top, width, height } = this.#of.canvas.getBoundingClientRect()
    const at = new Vector2(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2)
    const ray = new Raycaster()
    ray.setFromCamera(at, this.#of.camera)
    return ray
  }

  /** A second finger means the view, wherever the first one is: what that has dragged goes back. */
  #pinch = ({ isPrimary }: PointerEvent) => {
    const dragged = this.#dragged
    if (isPrimary || dragged === null) return
    this.#dragged = null
    this.#of.controls.enabled = true
    this.#of.bodies.get(dragged.key)?.position.copy(dragged.at)
    this.#of.onChange()
  }

  #press = (event: PointerEvent) => {
    if (this.#handles.axis !== null || !event.isPrimary) return
    const [hit] = this.#rayOf(event).intersectObjects([...this.#of.bodies.values()])
    if (hit === undefined) return
    const key = hit.object.name
    const at = this.#of.bodies.get(key)?.position.clone() ?? new Vector3()
    if (this.#tool === 'face' && hit.face && key === this.#chosen) {
      const { x, y, z } = hit.face.normal.clone().applyNormalMatrix(normalMatrix(hit.object))
      return this.#of.events.onFace(key, [x, y, z])
    }
    this.#dragged = { key, from: hit.point.clone(), at, hasMoved: false }
    this.#of.controls.enabled = false
    this.#of.canvas.setPointerCapture(event.pointerId)
    this.#of.events.onChoose(key)
  }

  #drag = (event: PointerEvent) => {
    const dragged = this.#dragged
    const body = dragged && this.#of.bodies.get(dragged.key)
    if (!dragged || !body) return
    const plane = new Plane(new Vector3(0, 0, 1), -dragged.from.z)
    const to = this.#rayOf(event).ray.intersectPlane(plane, new Vector3())
    if (to === null) return
    dragged.hasMoved = true
    body.position.x = dragged.at.x + to.x - dragged.from.x
    body.position.y = dragged.at.y + to.y - dragged.from.y
    this.#of.onChange()
  }

  #drop = () => {
    const dragged = this.#dragged
    const body = dragged && this.#of.bodies.get(dragged.key)
    this.#dragged = null
    this.#of.controls.enabled = true
    if (dragged?.hasMoved && body)
      this.#of.events.onPlace(dragged.key, { translate: [body.position.x, body.position.y, 0] })
  }
}

const normalMatrix = (object: Object3D) => new Matrix3().getNormalMatrix(object.matrixWorld)
