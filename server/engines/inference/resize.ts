/**
 * How a decoded picture becomes a network's input, number for number as the training code does it
 * (docs/detector.md, training/vigil/letterbox.py) and, for the plain stretch, as OpenCV's INTER_LINEAR
 * (docs/detector.md and the parity trap of 2). Pixels are interleaved RGB bytes; inputs are CHW float32 in 0..1.
 */

/** A decoded picture: interleaved RGB bytes. */
export interface Pixels {
  rgb: Uint8Array
  width: number
  height: number
}

/** Where the picture lies in the network's input, in input pixels. */
export interface Placement {
  left: number
  top: number
  width: number
  height: number
}

/** Places a picture in the middle of an input, as large as fits, aspect kept. */
export function placeIn(width: number, height: number, inputWidth: number, inputHeight: number): Placement {
  const scale = Math.min(inputWidth / width, inputHeight / height)
  const w = Math.min(inputWidth, Math.max(1, Math.floor(width * scale + 0.5)))
  const h = Math.min(inputHeight, Math.max(1, Math.floor(height * scale + 0.5)))
  return {
    left: Math.floor((inputWidth - w) / 2),
    top: Math.floor((inputHeight - h) / 2),
    width: w,
    height: h,
  }
}

/**
 * Letterboxes a picture: mean over whole blocks when it is at least twice too large, then half-pixel bilinear;
 * the rest of the input is `pad` (0..255).
 */
export function letterbox(
  picture: Pixels,
  inputWidth: number,
  inputHeight: number,
  pad: number,
): { input: Float32Array; placement: Placement } {
  const placement = placeIn(picture.width, picture.height, inputWidth, inputHeight)
  const factor = Math.floor(Math.min(picture.width / placement.width, picture.height / placement.height))
  const source = factor >= 2 ? boxDown(picture, factor) : { ...picture, levels: picture.rgb }
  const input = new Float32Array(3 * inputWidth * inputHeight).fill(pad / 255)
  bilinear(source, input, inputWidth, inputHeight, placement, false)
  return { input, placement }
}

/** Stretches a picture over the whole input as OpenCV does: half-pixel bilinear, rounded to whole levels. */
export function stretch(picture: Pixels, inputWidth: number, inputHeight: number): Float32Array {
  const input = new Float32Array(3 * inputWidth * inputHeight)
  const whole = { left: 0, top: 0, width: inputWidth, height: inputHeight }
  bilinear({ ...picture, levels: picture.rgb }, input, inputWidth, inputHeight, whole, true)
  return input
}

interface Levels {
  levels: Uint8Array | Float32Array
  width: number
  height: number
}

/** Mean of factor x factor blocks; rows and columns that fill no whole block are dropped. */
function boxDown(picture: Pixels, factor: number): Levels {
  const { rgb } = picture
  const width = Math.floor(picture.width / factor)
  const height = Math.floor(picture.height / factor)
  const levels = new Float32Array(width * height * 3)
  const share = 1 / (factor * factor)
  for (let y = 0; y < height; y++) {
    for (let row = 0; row < factor; row++) {
      let from = (y * factor + row) * picture.width * 3
      let to = y * width * 3
      for (let x = 0; x < width; x++, to += 3) {
        let r = 0
        let g = 0
        let b = 0
        for (let i = 0; i < factor; i++, from += 3) {
          r += rgb[from]!
          g += rgb[from + 1]!
          b += rgb[from + 2]!
        }
        levels[to]! += r
        levels[to + 1]! += g
        levels[to + 2]! += b
      }
    }
  }
  for (let i = 0; i < levels.length; i++) levels[i]! *= share
  return { levels, width, height }
}

/** For each output position: the two source positions (multiplied by `unit`) and the share of the second. */
function taps(from: number, to: number, unit: number) {
  const first = new Int32Array(to)
  const second = new Int32Array(to)
  const share = new Float32Array(to)
  for (let i = 0; i < to; i++) {
    const at = Math.min(from - 1, Math.max(0, (i + 0.5) * (from / to) - 0.5))
    const low = Math.floor(at)
    first[i] = low * unit
    second[i] = Math.min(low + 1, from - 1) * unit
    share[i] = at - low
  }
  return { first, second, share }
}

/** Writes the source, resized to `place`, into the three planes of `input`; each source row is read once. */
function bilinear(
  source: Levels,
  input: Float32Array,
  inputWidth: number,
  inputHeight: number,
  place: Placement,
  whole: boolean,
): void {
  const xs = taps(source.width, place.width, 3)
  const ys = taps(source.height, place.height, 1)
  const plane = inputWidth * inputHeight
  const rows = rowReader(source, xs)
  for (let y = 0; y < place.height; y++) {
    const upper = rows(ys.first[y]!)
    const lower = rows(ys.second[y]!)
    const fy = ys.share[y]!
    let at = (place.top + y) * inputWidth + place.left
    for (let i = 0; i < upper.length; i += 3, at++) {
      const r = upper[i]! + (lower[i]! - upper[i]!) * fy
      const g = upper[i + 1]! + (lower[i + 1]! - upper[i + 1]!) * fy
      const b = upper[i + 2]! + (lower[i + 2]! - upper[i + 2]!) * fy
      input[at] = (whole ? (r + 0.5) | 0 : r) / 255
      input[plane + at] = (whole ? (g + 0.5) | 0 : g) / 255
      input[2 * plane + at] = (whole ? (b + 0.5) | 0 : b) / 255
    }
  }
}

/** Gives source rows resized in width; the last two are kept, which is what going downwards needs. */
function rowReader({ levels, width }: Levels, xs: ReturnType<typeof taps>) {
  const line = () => ({ y: -1, row: new Float32Array(xs.first.length * 3) })
  const [one, other] = [line(), line()]
  return (y: number): Float32Array => {
    const found = one.y === y ? one : other.y === y ? other : null
    if (found) return found.row
    const older = one.y < other.y ? one : other
    older.y = y
    widen(levels, y * width * 3, xs, older.row)
    return older.row
  }
}

function widen(
  levels: Uint8Array | Float32Array,
  from: number,
  xs: ReturnType<typeof taps>,
  row: Float32Array,
): void {
  for (let x = 0, to = 0; x < xs.first.length; x++, to += 3) {
    const a = from + xs.first[x]!
    const b = from + xs.second[x]!
    const fx = xs.share[x]!
    row[to] = levels[a]! * (1 - fx) + levels[b]! * fx
    row[to + 1] = levels[a + 1]! * (1 - fx) + levels[b + 1]! * fx
    row[to + 2] = levels[a + 2]! * (1 - fx) + levels[b + 2]! * fx
  }
}
