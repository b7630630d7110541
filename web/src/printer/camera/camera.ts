import type { Printer } from '@vigil/contract/printers/printers.ts'
import { finite, ms } from '../../lib/format.ts'
import type { Orientation } from '../../ui/Snapshot.tsx'
import { rungsOf, type Shown, type Stream } from '../../video/index.ts'
import { isOffline } from '../state.ts'
import { readStatus } from '../status.ts'

type Settings = Readonly<Record<string, unknown>>

/** One camera of a printer, as its agent describes it (docs/wire/agents.md 6). */
export interface Camera {
  /** What tells it from the printer's others in this browser's preferences: its stream, else its place. */
  key: string
  name: string
  /** Agents post the pictures of this one, and of no other (docs/wire/agents.md 3.2). */
  primary: boolean
  nozzle: boolean
  flipH: boolean
  flipV: boolean
  /** Clockwise, after the flips (docs/rules/watch.md 5). */
  rotation: Orientation['rotation']
  /** Width to height before it is turned. */
  ratio: number
  /** How its moving picture comes. */
  stream: Stream
}

/** A mount without a picture (docs/wire/agents.md 6). */
const DATA_ONLY = 'data_channel_only'

/** The cameras of a printer, at least one: each name once, and one of them with the pictures. */
export function cameras(settings: Settings): Camera[] {
  const told = Array.isArray(settings['webcams']) ? (settings['webcams'] as unknown[]) : []
  const seen = new Map<string, Camera>()
  const names = new Set<string>()
  for (const each of told.slice(0, 16)) {
    if (!each || typeof each !== 'object') continue
    const webcam = each as Settings
    const name = typeof webcam['name'] === 'string' ? webcam['name'].trim().slice(0, 100) : ''
    if (webcam['stream_mode'] === DATA_ONLY || (name && names.has(name))) continue
    const key = keyOf(webcam['stream_id'], seen)
    names.add(name)
    seen.set(key, { key, name, ...shapeOf(webcam, '') })
  }
  const all =
    seen.size > 0 ? [...seen.values()] : [{ key: 'first', name: '', ...shapeOf(settings, 'webcam_') }]
  const main = all.find(({ primary, nozzle }) => primary && !nozzle) ?? all[0]
  return all.map((camera) => ({ ...camera, primary: camera === main }))
}

function keyOf(streamId: unknown, seen: ReadonlyMap<string, Camera>): string {
  const given = typeof streamId === 'string' || typeof streamId === 'number' ? String(streamId) : ''
  if (given && !seen.has(given)) return given
  return seen.size === 0 ? 'first' : `${given}#${seen.size}`
}

function shapeOf(said: Settings, prefix: '' | 'webcam_'): Omit<Camera, 'key' | 'name'> {
  const rotation = finite(said[`${prefix}rotation`])
  const [w, h] = String(said[`${prefix}streamRatio`] ?? '16:9')
    .split(':')
    .map(Number)
  return {
    primary: said['is_primary_camera'] === true,
    nozzle: said['is_nozzle_camera'] === true,
    flipH: said[`${prefix}flipH`] === true,
    flipV: said[`${prefix}flipV`] === true,
    rotation: rotation === 90 || rotation === 180 || rotation === 270 ? rotation : 0,
    ratio: w && h && w / h > 0.3 && w / h < 4 ? w / h : 16 / 9,
    stream: streamOf(said),
  }
}

function streamOf({ stream_mode: mode, stream_id: id }: Settings): Stream {
  const number = typeof id === 'string' && /^\d{1,9}$/.test(id) ? Number(id) : id
  return {
    mode: typeof mode === 'string' ? mode.slice(0, 40) : null,
    id: typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null,
  }
}

/** The camera whose pictures come. */
export function mainCamera(settings: Settings): Camera {
  return cameras(settings).find(({ primary }) => primary) as Camera
}

/** How a camera's picture is to be turned: flips first, then clockwise, then as turned in this browser. */
export function orientation(camera: Camera, turn = 0): Orientation & { ratio: number } {
  const rotation = ((camera.rotation + turn) % 360) as Orientation['rotation']
  const { flipH, flipV, ratio } = camera
  return { flipH, flipV, rotation, ratio: rotation % 180 === 0 ? ratio : 1 / ratio }
}

/** While it prints a picture comes every 10 s; idle agents send one every two minutes. */
const FRESH_PRINTING_MS = 30_000
export const FRESH_IDLE_MS = 300_000

/** Whether the picture is too old to stand for now. */
export function isStale(printer: Printer, nowMs: number): boolean {
  const at = ms(printer.watch?.picture_at)
  if (!printer.status || at === null) return true
  const printing = readStatus(printer)?.printing === true
  return nowMs - at > (printing ? FRESH_PRINTING_MS : FRESH_IDLE_MS)
}

/** There is somebody to send a picture. */
export const isThere = (printer: Printer) => !isOffline(printer) && printer.archived_at === null

/** Whether a moving picture of this camera may come. */
export const hasVideo = (printer: Printer, { stream, primary }: Camera) =>
  isThere(printer) && rungsOf(stream, primary).length > 0

/** Whether a picture moves, or may in a moment: after a try that failed nobody knows. */
export const isMoving = ({ phase, reason }: Pick<Shown, 'phase' | 'reason'>) =>
  phase === 'playing' || (phase === 'loading' && reason === null)
