import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { assertDecodable, PictureError, readDimensions, stripJpeg } from './jpeg.ts'

const raw = { width: 37, height: 21, channels: 3 } as const
const noise = Buffer.from(Array.from({ length: 37 * 21 * 3 }, (_, i) => (i * 7919) % 251))
const image = () => sharp(noise, { raw })
const jpeg = await image()
  .withExif({ IFD0: { Copyright: 'secret place' } })
  .jpeg()
  .toBuffer()
const progressive = await image().jpeg({ progressive: true }).toBuffer()
const cmyk = await image().toColourspace('cmyk').jpeg().toBuffer()
const png = await image().png().toBuffer()
const gif = await image().gif().toBuffer()
const webp = await image().webp().toBuffer()
const lossless = await image().webp({ lossless: true }).toBuffer()
const extended = await image().ensureAlpha(0.5).webp().toBuffer()

const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()
/** A segment with its length. */
const segment = (marker: number, body: string) =>
  Buffer.concat([Buffer.from([0xff, marker, 0, body.length + 2]), Buffer.from(body, 'latin1')])

/** A small seeded generator, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Runs; anything but a PictureError is a failure. */
function survives(act: () => unknown): void {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(PictureError)
  }
}

describe('dimensions', () => {
  it.each([
    ['jpeg', jpeg],
    ['jpeg', progressive],
    ['jpeg', cmyk],
    ['png', png],
    ['gif', gif],
    ['webp', webp],
    ['webp', lossless],
    ['webp', extended],
  ])('of a %s are read from the header', (format, bytes) => {
    expect(readDimensions(bytes)).toEqual({ format, width: 37, height: 21 })
  })
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a start of JPEG only', Buffer.from([0xff, 0xd8])],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['a JPEG of zero height', Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 9, 1, 1, 17, 0])],
    ['a PNG of huge size', Buffer.from('89504e470d0a1a0a0000000d49484452ffffffffffffffff', 'hex')],
    ['an unknown WebP', Buffer.from('RIFF\0\0\0\0WEBPVP9 aaaaaaaaaaaaaaaaaaaaaaaa')],
  ])('of %s are refused', (_, bytes) => {
    expect(() => readDimensions(bytes)).toThrow(PictureError)
  })
  it('over 40 megapixels are refused', () => {
    expect(() => assertDecodable({ format: 'png', width: 8000, height: 5000 })).not.toThrow()
    expect(() => assertDecodable({ format: 'png', width: 8000, height: 5001 })).toThrow(PictureError)
  })
})

describe('a stripped JPEG', () => {
  it('has lost metadata, comments and what follows, and no pixel', async () => {
    const adorned = Buffer.concat([
      jpeg.subarray(0, 2),
      segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0 home address'),
      segment(0xe2, 'MPF\0 second picture'),
      segment(0xfe, 'a comment'),
      jpeg.subarray(2),
      Buffer.from('PK\x03\x04 a zip behind the picture'),
    ])
    const stripped = Buffer.from(stripJpeg(adorned))
    for (const gone of ['secret place', 'home address', 'second picture', 'a comment', 'a zip']) {
      expect(stripped.includes(gone)).toBe(false)
    }
    expect(stripped.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
    expect(await pixels(stripped)).toEqual(await pixels(jpeg))
    expect(Buffer.from(stripJpeg(stripped))).toEqual(stripped)
  })
  it.each([
    ['progressive', progressive],
    ['CMYK (Adobe APP14 stays)', cmyk],
  ])('keeps the pixels: %s', async (_, bytes) => {
    expect(await pixels(stripJpeg(bytes))).toEqual(await pixels(bytes))
  })
  it('keeps restarts and stuffed bytes in the scan', () => {
    const frame = [0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 17, 0]
    const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 0xff, 0xd0, 2, 0xff, 0, 3, 0xff, 0xd9]
    const bytes = Uint8Array.from([0xff, 0xd8, ...frame, ...scan])
    expect(stripJpeg(Buffer.concat([bytes, Buffer.from('tail')]))).toEqual(bytes)
  })
  it('keeps JFIF and drops another APP0', () => {
    const jfxx = Buffer.concat([jpeg.subarray(0, 2), segment(0xe0, 'JFXX\0 thumbnail'), jpeg.subarray(2)])
    expect(Buffer.from(stripJpeg(jfxx)).includes('JFXX')).toBe(false)
  })
  it.each([
    [1, true],
    [2, false],
  ])('of JFIF %i it is %s that the segment is kept', (revision, isKept) => {
    const jfif = segment(0xe0, `JFIF\0${String.fromCharCode(revision)}\x02\0\0\x01\0\x01\0\0`)
    const bytes = Buffer.concat([jpeg.subarray(0, 2), jfif, jpeg.subarray(2)])
    expect(Buffer.from(stripJpeg(bytes)).includes('JFIF')).toBe(isKept)
  })
  it('accepts fill bytes before a marker', async () => {
    const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xff]), jpeg.subarray(2)])
    expect(await pixels(stripJpeg(filled))).toEqual(await pixels(jpeg))
  })
  it.each([
    ['a PNG', png],
    ['nothing', Buffer.alloc(0)],
    ['no end', jpeg.subarray(0, -2)],
    ['no picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['a segment that is too long', Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 0])],
    ['a segment of length 1', Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 1, 0xff, 0xd9])],
    ['a second start', Buffer.concat([jpeg.subarray(0, 2), jpeg])],
  ])('is refused for %s', (_, bytes) => {
    expect(() => stripJpeg(bytes)).toThrow(PictureError)
  })
})

describe('hostile bytes', () => {
  it('cut off anywhere raise the typed error only', () => {
    for (const bytes of [jpeg, progressive, png, gif, webp, lossless, extended]) {
      for (let length = 0; length < bytes.length; length++) {
        const cut = bytes.subarray(0, length)
        survives(() => readDimensions(cut))
        expect(() => stripJpeg(cut)).toThrow(PictureError)
      }
    }
  })
  it('changed at random raise the typed error only, and end', () => {
    const random = seeded(42)
    for (let round = 0; round < 4000; round++) {
      const source = [jpeg, progressive, png, gif, webp, lossless, extended][round % 7]!
      const bytes = Buffer.from(source)
      for (let n = Math.ceil(random() * 8); n > 0; n--) {
        bytes[Math.floor(random() * bytes.length)] = random() < 0.3 ? 0xff : Math.floor(random() * 256)
      }
      survives(() => readDimensions(bytes))
      survives(() => readDimensions(stripJpeg(bytes)))
    }
  })
  it('of ten megabytes of markers are walked in no time', () => {
    const long = Buffer.alloc(10_000_000, 0xff)
    long[1] = 0xd8
    const started = performance.now()
    survives(() => stripJpeg(long))
    survives(() => readDimensions(long))
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
