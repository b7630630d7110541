/**
 * Reads and cleans picture files without decoding them: dimensions from the header (JPEG, PNG, WebP, GIF)
 * and a JPEG's segments without metadata. Pure and linear in the input; every failure is a {@link PictureError}
 * (docs/rules/watch.md 1).
 */

/** A file format that {@link readDimensions} knows. */
type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif'

/** What a header claims; sizes in pixels, before any Exif rotation. */
interface Dimensions {
  format: PictureFormat
  width: number
  height: number
}

/** The bytes are not a picture of a known format, are cut off, or claim a size that is not allowed. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}

/** The most pixels that we decode. */
export const MAX_PIXELS = 40_000_000

/** Throws {@link PictureError} when a header claims more than `limit` pixels (40 megapixels). */
export function assertDecodable(claimed: Dimensions, limit = MAX_PIXELS): void {
  if (claimed.width * claimed.height > limit) throw new PictureError('picture has too many pixels')
}

/** Reads format and size from the header. Throws {@link PictureError}. */
export function readDimensions(bytes: Uint8Array): Dimensions {
  const read = startsWith(bytes, [0xff, 0xd8])
    ? jpegSize(bytes)
    : startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
      ? pngSize(bytes)
      : isText(bytes, 0, 'RIFF') && isText(bytes, 8, 'WEBP')
        ? webpSize(bytes)
        : isText(bytes, 0, 'GIF87a') || isText(bytes, 0, 'GIF89a')
          ? gifSize(bytes)
          : null
  if (!read) throw new PictureError('not a JPEG, PNG, WebP or GIF picture')
  if (read.width < 1 || read.height < 1) throw new PictureError('picture has no pixels')
  return read
}

/**
 * Returns the JPEG without APPn segments (JFIF APP0 and Adobe APP14 stay: they say how colours are stored),
 * without comments, and without anything after the end of image. Pixels are untouched.
 * Throws {@link PictureError} for other formats and for a broken structure.
 */
export function stripJpeg(bytes: Uint8Array): Uint8Array {
  const kept = [{ start: 0, end: 2 }]
  let hasFrame = false
  let hasScan = false
  for (const part of jpegParts(bytes)) {
    if (isFrame(part.marker)) hasFrame = true
    if (part.marker === SOS) hasScan = true
    if (!keepSegment(bytes, part)) continue
    const last = kept.at(-1)!
    if (last.end === part.start) last.end = part.end
    else kept.push({ start: part.start, end: part.end })
  }
  if (!hasFrame || !hasScan) throw new PictureError('JPEG has no picture')
  return join(
    kept.map(({ start, end }) => new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start)),
  )
}

/** Whether the segments of a JPEG lead to its end marker: what was cut off has none, and some cameras write none. */
export function hasEnd(bytes: Uint8Array): boolean {
  try {
    return Array.from(jpegParts(bytes)).at(-1)?.marker === EOI
  } catch (error) {
    if (error instanceof PictureError) return false
    throw error
  }
}

const SOS = 0xda
const EOI = 0xd9
/** The end marker as it stands in a file. */
export const END_OF_IMAGE = Uint8Array.of(0xff, EOI)

interface Part {
  marker: number
  /** From the 0xff of the marker to the end of the segment, with its entropy-coded data for SOS. */
  start: number
  end: number
}

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Walks the segments after SOI, EOI included; throws when they don't chain up to an EOI. */
function* jpegParts(bytes: Uint8Array): Generator<Part> {
  if (!startsWith(bytes, [0xff, 0xd8])) throw new PictureError('not a JPEG picture')
  let at = 2
  for (;;) {
    if (bytes[at] !== 0xff) throw new PictureError('JPEG segments are broken')
    while (bytes[at + 1] === 0xff) at++
    const marker = bytes[at + 1]
    if (marker === undefined) throw new PictureError('JPEG is cut off')
    if (marker === EOI) {
      yield { marker, start: at, end: at + 2 }
      return
    }
    if (marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      throw new PictureError('JPEG segments are broken')
    }
    const length = u16(bytes, at + 2)
    if (length < 2 || at + 2 + length > bytes.length) throw new PictureError('JPEG is cut off')
    const end = marker === SOS ? endOfScan(bytes, at + 2 + length) : at + 2 + length
    yield { marker, start: at, end }
    at = end
  }
}

/** Index of the next marker that is not a stuffed byte or a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) break
    if (next === 0xff || next === 0 || (next >= 0xd0 && next <= 0xd7)) continue
    return at
  }
  throw new PictureError('JPEG is cut off')
}

function keepSegment(bytes: Uint8Array, part: Part): boolean {
  const { marker, start } = part
  if (marker === 0xfe) return false
  // A revision that decoders do not know tells them nothing, and they warn of it as of damage.
  if (marker === 0xe0) return isText(bytes, start + 4, 'JFIF\0') && bytes[start + 9] === 1
  if (marker === 0xee) return isText(bytes, start + 4, 'Adobe')
  return marker < 0xe1 || marker > 0xef
}

function jpegSize(bytes: Uint8Array): Dimensions {
  for (const part of jpegParts(bytes)) {
    if (part.marker === SOS) break
    if (!isFrame(part.marker)) continue
    if (part.end - part.start < 11) throw new PictureError('JPEG is cut off')
    return { format: 'jpeg', height: u16(bytes, part.start + 5), width: u16(bytes, part.start + 7) }
  }
  throw new PictureError('JPEG has no size')
}

function pngSize(bytes: Uint8Array): Dimensions {
  if (u32(bytes, 8) !== 13 || !isText(bytes, 12, 'IHDR')) throw new PictureError('PNG header is broken')
  const [width, height] = [u32(bytes, 16), u32(bytes, 20)]
  if (width > 0x7fff_ffff || height > 0x7fff_ffff) throw new PictureError('PNG header is broken')
  return { format: 'png', width, height }
}

function gifSize(bytes: Uint8Array): Dimensions {
  need(bytes, 13)
  return { format: 'gif', width: le(bytes, 6, 2), height: le(bytes, 8, 2) }
}

function webpSize(bytes: Uint8Array): Dimensions {
  need(bytes, 30)
  if (isText(bytes, 12, 'VP8X')) {
    return { format: 'webp', width: le(bytes, 24, 3) + 1, height: le(bytes, 27, 3) + 1 }
  }
  if (isText(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const packed = le(bytes, 21, 4)
    return { format: 'webp', width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
  }
  if (isText(bytes, 12, 'VP8 ') && startsWith(bytes.subarray(23), [0x9d, 0x01, 0x2a])) {
    return { format: 'webp', width: le(bytes, 26, 2) & 0x3fff, height: le(bytes, 28, 2) & 0x3fff }
  }
  throw new PictureError('WebP header is broken')
}

function need(bytes: Uint8Array, length: number): void {
  if (bytes.length < length) throw new PictureError('picture is cut off')
}

function u16(bytes: Uint8Array, at: number): number {
  need(bytes, at + 2)
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

const u32 = (bytes: Uint8Array, at: number) => u16(bytes, at) * 65536 + u16(bytes, at + 2)

function le(bytes: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let i = count - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? 0)
  return value
}

const startsWith = (bytes: Uint8Array, head: readonly number[]) => head.every((byte, i) => bytes[i] === byte)

function isText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (only && parts.length === 1) return only
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
