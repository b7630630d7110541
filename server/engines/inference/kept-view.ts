/**
 * What a camera shows as bytes to keep, so that a restart does not forget it: about 6 kB. Of a {@link PictureHistory}
 * what is learnt slowly is kept; runs of strange or equal pictures begin anew.
 */
import type { PictureHistory } from './quality.ts'
import { CELLS } from './view.ts'

/** Raised with every change of the layout or of what its numbers mean: what was kept before is then not read. */
const VERSION = 1
/** Version (1 byte), pictures learnt from (2), usual fit and usual sharpness (4 each, NaN for none); then the cells. */
const HEADER = 11

/** The bytes of what was learnt; null when that is nothing yet. */
export function packView(history: PictureHistory): Buffer | null {
  const { view, referenceFrames, usualFit, usualSharpness } = history
  if (referenceFrames === 0) return null
  const bytes = Buffer.alloc(HEADER + 2 * CELLS)
  bytes.writeUInt8(VERSION, 0)
  bytes.writeUInt16LE(Math.min(referenceFrames, 0xffff), 1)
  bytes.writeFloatLE(usualFit, 3)
  bytes.writeFloatLE(usualSharpness ?? NaN, 7)
  for (let i = 0; i < CELLS; i++) {
    bytes.writeUInt8(Math.round(view.reference[i]!), HEADER + i)
    bytes.writeInt8(Math.round(view.stability[i]! * 127), HEADER + CELLS + i)
  }
  return bytes
}

/** The history that goes on from such bytes; null for bytes of another version or that make no sense. */
export function unpackView(bytes: Uint8Array): PictureHistory | null {
  if (bytes.length !== HEADER + 2 * CELLS || bytes[0] !== VERSION) return null
  const from = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const [referenceFrames, usualFit, sharpness] = [
    from.readUInt16LE(1),
    from.readFloatLE(3),
    from.readFloatLE(7),
  ]
  if (referenceFrames === 0 || !(Math.abs(usualFit) <= 1) || sharpness < 0 || sharpness === Infinity)
    return null
  const thumbnail = Uint8Array.from(from.subarray(HEADER, HEADER + CELLS))
  const stability = Float32Array.from({ length: CELLS }, (_, i) =>
    Math.max(-1, from.readInt8(HEADER + CELLS + i) / 127),
  )
  return {
    hash: '',
    thumbnail,
    sameBytes: 0,
    sameLook: 0,
    sameSince: 0,
    view: { reference: Float32Array.from(thumbnail), stability },
    referenceFrames,
    usualFit,
    usualSharpness: Number.isNaN(sharpness) ? null : sharpness,
    strange: 0,
    soft: 0,
    stir: 0,
    said: null,
  }
}
