import { Box3, type PerspectiveCamera, type Scene, Vector3, type WebGLRenderer } from 'three'
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { isBeyond, isTouching, type Placing, type Standing, type Vector } from '../meshes/index.ts'

/** A bed. */
export type Corners = readonly (readonly [number, number])[]

const SLACK_MM = 0.05

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

/** What is seen of a piece as it stands. */
export interface Measured {
  readonly size: Vector
  readonly isOutside: boolean
  /** Another that it stands in. */
  readonly touches: string | null
}

/** How one stands among all, on a bed below so much room. */
export function measuredOf(
  one: Standing,
  all: ReadonlyMap<string, Standing>,
  corners: Corners,
  height: number,
): Measured {
  const { min, max } = one.footprint
  const size: Vector = [max[0] - min[0], max[1] - min[1], max[2] - min[2]]
  const touched = [...all].find(([, other]) => other !== one && isTouching(one, other))
  return {
    size,
    isOutside: isBeyond(one, corners, SLACK_MM) || size[2] > height + SLACK_MM,
    touches: touched?.[0] ?? null,
  }
}

export interface PlateEvents {
  readonly onChoose: (key: string | null) => void
  /** Moved, turned or scaled by hand. */
  readonly onPlace: (key: string, placing: Partial<Placing>) => void
  /** A face was chosen that is to lie on the bed: the direction in which it looks as the piece stands. */
  readonly onFace: (key: string, normal: Vector) => void
  readonly onMeasured: (sizes: ReadonlyMap<string, Measured>) => void
}

/** Has all of a bed seen, from the front and above. */
export function seeWhole(camera: PerspectiveCamera, controls: OrbitControls, corners: Corners): void {
  const box = new Box3().setFromPoints(corners.map(([x, y]) => new Vector3(x, y, 0)))
  const middle = box.getCenter(new Vector3())
  const far = (box.getSize(new Vector3()).length() * 1.35) / Math.min(1, camera.aspect)
  controls.target.copy(middle)
  camera.position.copy(middle).add(new Vector3(-0.35, -0.75, 0.6).normalize().multiplyScalar(far))
  controls.update()
}

/** Has what is near and far seen from where it is looked at. */
export function seeDeep(camera: PerspectiveCamera, { target }: OrbitControls): void {
  const far = camera.position.distanceTo(target)
  camera.near = Math.max(0.1, far / 500)
  camera.far = far * 8 + 2_000
  camera.updateProjectionMatrix()
}

const LOOK_MS = 10

/** Once who draws has done all that it was told until now; the page goes on meanwhile. */
async function whenDone(gl: WebGL2RenderingContext): Promise<void> {
  const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
  gl.flush()
  while (sync !== null && gl.getSyncParameter(sync, gl.SYNC_STATUS) === gl.UNSIGNALED)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  gl.deleteSync(sync)
}

/** Programs are built beside the page, and a first frame is drawn out of sight: where it is seen, the page would wait for both. */
export async function drawUnseen(
  renderer: WebGLRenderer,
  context: WebGL2RenderingContext,
  scene: Scene,
  camera: PerspectiveCamera,
): Promise<void> {
  const { style } = renderer.domElement
  style.visibility = 'hidden'
  await renderer.compileAsync(scene, camera)
  await whenDone(context)
  // It may be closed by now.
  if (!context.isContextLost()) renderer.render(scene, camera)
  await whenDone(context)
  style.visibility = ''
}
