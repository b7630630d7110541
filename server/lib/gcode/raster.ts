/** Pixels of the two kinds of pictures in G-code that no picture library reads. */

/** Eight bits each of red, green, blue and opacity, row by row from the top. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

const MOST_PIXELS = 2048 * 2048
const HEADER = 14

/** Decodes a QOI picture (qoiformat.org, 1.0). Raises when it is cut, no QOI, or larger than 2048 x 2048. */
export function decodeQoi(data: Uint8Array): Raster {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (data.length < HEADER || view.getUint32(0) !== 0x716f6966) throw new Error('no QOI picture')
  const [width, height] = [view.getUint32(4), view.getUint32(8)]
  if (width === 0 || height === 0 || width * height > MOST_PIXELS)
    throw new Error('a QOI picture of an odd size')
  const rgba = new Uint8Array(width * height * 4)
  const seen = new Uint8Array(64 * 4)
  let [r, g, b, a] = [0, 0, 0, 255]
  let at = HEADER
  let run = 0
  const next = () => {
    if (at >= data.length) throw new Error('a QOI picture is cut')
    return view.getUint8(at++)
  }
  for (let pixel = 0; pixel < rgba.length; pixel += 4) {
    if (run > 0) run--
    else {
      const tag = next()
      const low = tag & 0x3f
      if (tag >= 0xfe) {
        ;[r, g, b] = [next(), next(), next()]
        if (tag === 0xff) a = next()
      } else if (tag >> 6 === 0) {
        const from = new DataView(seen.buffer, low * 4, 4)
        ;[r, g, b, a] = [from.getUint8(0), from.getUint8(1), from.getUint8(2), from.getUint8(3)]
      } else if (tag >> 6 === 1) {
        r += ((low >> 4) & 3) - 2
        g += ((low >> 2) & 3) - 2
        b += (low & 3) - 2
      } else if (tag >> 6 === 2) {
        const second = next()
        g += low - 32
        r += low - 32 + (second >> 4) - 8
        b += low - 32 + (second & 15) - 8
      } else run = low
      ;[r, g, b] = [r & 255, g & 255, b & 255]
      seen.set([r, g, b, a], ((r * 3 + g * 5 + b * 7 + a * 11) % 64) * 4)
    }
    rgba.set([r, g, b, a], pixel)
  }
  return { width, height, rgba }
}

/** Rows of five bits of red, six of green and five of blue, high byte first; black is what shows nothing. */
export function decodeRgb565(data: Uint8Array, width: number, height: number): Raster {
  if (data.length !== width * height * 2) throw new Error('rows of another size')
  const rgba = new Uint8Array(width * height * 4)
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const colour = view.getUint16(pixel * 2)
    const [red, green, blue] = [colour >> 11, (colour >> 5) & 63, colour & 31]
    rgba.set(
      [(red * 527 + 23) >> 6, (green * 259 + 33) >> 6, (blue * 527 + 23) >> 6, colour === 0 ? 0 : 255],
      pixel * 4,
    )
  }
  return { width, height, rgba }
}
