import type { Printer } from '@vigil/contract/printers.ts'
import { finite, ms } from '../../lib/format.ts'
import type { Orientation } from '../../ui/Snapshot.tsx'
import { readStatus } from './status.ts'

/** How the first webcam is to be turned: flips first, then clockwise (api-contract 3.7), then as turned here. */
export function orientation(printer: Pick<Printer, 'settings'>, turn = 0): Orientation {
  const { settings } = printer
  const rotation = ((finite(settings['webcam_rotation']) ?? 0) + turn) % 360
  const [w, h] = String(settings['webcam_streamRatio'] ?? '16:9')
    .split(':')
    .map(Number)
  const plain = w && h && w / h > 0.3 && w / h < 4 ? w / h : 16 / 9
  const turned = rotation === 90 || rotation === 270
  return {
    flipH: settings['webcam_flipH'] === true,
    flipV: settings['webcam_flipV'] === true,
    rotation: rotation === 90 || rotation === 180 || rotation === 270 ? rotation : 0,
    ratio: turned ? 1 / plain : plain,
  }
}

/** While it prints a picture comes every 10 s; idle agents send one every two minutes. */
const FRESH_PRINTING_MS = 30_000
const FRESH_IDLE_MS = 300_000

/** Whether the picture is too old to stand for now. */
export function isStale(printer: Printer, nowMs: number): boolean {
  const at = ms(printer.watch?.picture_at)
  if (!printer.status || at === null) return true
  const printing = readStatus(printer)?.printing === true
  return nowMs - at > (printing ? FRESH_PRINTING_MS : FRESH_IDLE_MS)
}

/** What tells one camera of a printer from another in this browser's preferences. */
export function streamKey(printer: Printer): string {
  const webcams = printer.settings['webcams']
  const first: unknown = Array.isArray(webcams) ? webcams[0] : null
  const id = (first as { stream_id?: unknown } | null)?.stream_id
  return typeof id === 'string' || typeof id === 'number' ? String(id) : 'first'
}
