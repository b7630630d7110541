/** From an encoded picture to pixels (sharp). Runs in worker threads only: a hostile file costs no request. */
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { assertDecodable, END_OF_IMAGE, hasEnd, MAX_PIXELS, readDimensions } from '../../lib/jpeg.ts'
import { BadPicture, type Box, type BoxTone } from './port.ts'
import { conditionOf, type Quality, sharpnessOf, thumbnailOf } from './quality.ts'
import type { Pixels } from './resize.ts'

sharp.cache(false)
sharp.concurrency(1)

/** Any failure of `work` on a picture, as {@link BadPicture}. */
async function orBadPicture<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new BadPicture(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/**
 * Of a JPEG even a warning counts: where bytes of the picture are missing the library makes them up, grey or shifted,
 * and only warns. What some cameras leave before the end marker is no warning (docs/detector.md).
 */
const strict = ({ format }: ReturnType<typeof readDimensions>) =>
  ({ limitInputPixels: MAX_PIXELS, failOn: format === 'jpeg' ? 'warning' : 'error' }) as const

/**
 * Decodes to RGB without rotating; header and size are checked first. Throws {@link BadPicture}, also for a JPEG of
 * which a part is damaged.
 */
export function decode(picture: Uint8Array): Promise<Pixels> {
  return orBadPicture(async () => {
    const size = readDimensions(picture)
    assertDecodable(size)
    const { data, info } = await sharp(picture, strict(size))
      .flatten({ background: '#000' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    return { rgb: channels === 3 ? data : toRgb(data, channels), width, height }
  })
}

function toRgb(data: Uint8Array, channels: number): Uint8Array {
  const count = data.length / channels
  const rgb = new Uint8Array(count * 3)
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) rgb[3 * i + c] = data[channels * i + (channels < 3 ? 0 : c)]!
  }
  return rgb
}

/** The picture itself, judged alone. */
export function qualityOf(picture: Uint8Array, pixels: Pixels): Quality {
  const thumbnail = thumbnailOf(pixels.rgb, pixels.width, pixels.height)
  const hash = createHash('sha1').update(picture).digest('hex')
  const sharpness = sharpnessOf(pixels.rgb, pixels.width, pixels.height)
  return { thumbnail, hash, condition: conditionOf(thumbnail), sharpness }
}

/** The longest side that is stored as it came, and the frame that longer ones are fitted into (docs/rules/watch.md 1). */
const LONGEST_SIDE = 1296
const FIT = { width: 1280, height: 960 }

/**
 * Re-encodes any readable picture as JPEG without metadata, fitted into 1280x960 when longer than 1296. A JPEG must
 * be whole to the last row, but for its end marker: the slightest doubt makes it a {@link BadPicture}.
 */
export function reencode(picture: Uint8Array): Promise<Buffer> {
  return orBadPicture(async () => {
    const size = readDimensions(picture)
    assertDecodable(size)
    const isCut = size.format === 'jpeg' && !hasEnd(picture)
    const image = sharp(isCut ? Buffer.concat([picture, END_OF_IMAGE]) : picture, strict(size))
    const long = Math.max(size.width, size.height) > LONGEST_SIDE
    const fitted = long ? image.resize({ ...FIT, fit: 'inside' }) : image
    return await fitted.flatten({ background: '#000' }).toColourspace('srgb').jpeg({ quality: 90 }).toBuffer()
  })
}

/** JPEG of the picture, mirrored and then rotated clockwise, in the way that its camera hangs. */
export function turned(
  picture: Uint8Array,
  { flipH, flipV, rotation }: { flipH: boolean; flipV: boolean; rotation: 0 | 90 | 180 | 270 },
): Promise<Buffer> {
  return orBadPicture(async () => {
    const size = readDimensions(picture)
    assertDecodable(size)
    const image = sharp(picture, strict(size)).flop(flipH).flip(flipV)
    return await (rotation === 0 ? image : image.rotate(rotation)).jpeg({ quality: 88 }).toBuffer()
  })
}

/** Line and edge of each tone: the light line of the quiet one is seen on white parts by its dark edge. */
const COLOURS = {
  quiet: { line: [236, 238, 242], edge: [24, 26, 32] },
  doubtful: { line: [245, 150, 30], edge: null },
  failing: { line: [226, 46, 46], edge: null },
} as const satisfies Record<BoxTone, { line: Colour; edge: Colour | null }>
type Colour = readonly [number, number, number]

/** JPEG of the picture with a frame around each box; its size is kept. */
export async function drawn(
  picture: Uint8Array,
  { boxes, tone }: { boxes: readonly Box[]; tone: BoxTone },
): Promise<Buffer> {
  const pixels = await decode(picture)
  const width = Math.max(2, Math.round(Math.max(pixels.width, pixels.height) / 240))
  const { line, edge } = COLOURS[tone]
  for (const box of boxes) {
    if (edge) frame(pixels, grown(box, 1), width + 2, edge)
    frame(pixels, box, width, line)
  }
  return sharp(pixels.rgb, { raw: { width: pixels.width, height: pixels.height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer()
}

const grown = ({ x, y, w, h, score }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  w: w + 2 * by,
  h: h + 2 * by,
  score,
})

function frame({ rgb, width, height }: Pixels, box: Box, line: number, colour: Colour): void {
  const left = Math.max(0, Math.round(box.x))
  const top = Math.max(0, Math.round(box.y))
  const right = Math.min(width, Math.round(box.x + box.w))
  const bottom = Math.min(height, Math.round(box.y + box.h))
  for (let y = top; y < bottom; y++) {
    const isEdge = y < top + line || y >= bottom - line
    for (let x = left; x < right; x++) {
      if (!isEdge && x === left + line) x = Math.max(x, right - line)
      rgb.set(colour, (y * width + x) * 3)
    }
  }
}
