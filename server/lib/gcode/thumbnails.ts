/** A picture that a slicer put into a file, as it stands there: an encoded one, or rows of 16-bit colours. */
export interface Embedded {
  readonly kind: 'png' | 'jpeg' | 'qoi' | 'rgb565'
  readonly data: Uint8Array
  /** Only `rgb565` says its size beside its bytes. */
  readonly width?: number
  readonly height?: number
}

/** More pictures than this no slicer writes, and larger ones no screen shows. */
const MOST = 20
const MOST_BYTES = 2_000_000

/**
 * Finds the pictures in the beginning of a file: blocks of base64 between `thumbnail… begin` and `end`, in one line as a data
 * address, or rows of hexadecimal colours as BIGTREETECH's screens read them. What is no picture is left out.
 */
export function thumbnailsOf(lines: readonly string[]): Embedded[] {
  const found = [...blocksOf(lines), ...addressesOf(lines), ...rowsOf(lines)]
  return found.filter(({ data }) => data.length > 0 && data.length <= MOST_BYTES).slice(0, MOST)
}

function* blocksOf(lines: readonly string[]): Generator<Embedded> {
  let block: string[] | null = null
  for (const line of lines) {
    if (/^thumbnail(?:_[A-Za-z]{2,8})? begin\b/.test(line)) block = []
    else if (/^thumbnail(?:_[A-Za-z]{2,8})? end\b/.test(line)) {
      const picture = block && sniffed(Buffer.from(block.join(''), 'base64'))
      block = null
      if (picture) yield picture
    } else block?.push(line)
  }
}

function* addressesOf(lines: readonly string[]): Generator<Embedded> {
  for (const line of lines) {
    const at = line.indexOf('data:image/')
    const comma = at === -1 ? -1 : line.indexOf(';base64,', at)
    const picture = comma === -1 ? null : sniffed(Buffer.from(line.slice(comma + 8), 'base64'))
    if (picture) yield picture
  }
}

/** `WWWWHHHH`, then a row of four digits a pixel for each of its rows. */
function* rowsOf(lines: readonly string[]): Generator<Embedded> {
  if (!lines.includes('bigtree thumbnail end')) return
  for (let at = 0; at < lines.length; at++) {
    const size = /^([0-9a-f]{4})([0-9a-f]{4})$/i.exec(lines[at] ?? '')
    const [width, height] = [Number.parseInt(size?.[1] ?? '', 16), Number.parseInt(size?.[2] ?? '', 16)]
    if (!(width > 1 && width <= 800 && height > 0 && height <= 800)) continue
    const rows = lines.slice(at + 1, at + 1 + height)
    if (rows.length < height || rows.some((row) => row.length !== width * 4 || !/^[0-9a-f]+$/i.test(row)))
      continue
    yield { kind: 'rgb565', data: Buffer.from(rows.join(''), 'hex'), width, height }
    at += height
  }
}

const SIGNS = [
  ['png', [0x89, 0x50, 0x4e, 0x47]],
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['qoi', [0x71, 0x6f, 0x69, 0x66]],
] as const

function sniffed(data: Uint8Array): Embedded | null {
  const sign = SIGNS.find(([, bytes]) => bytes.every((byte, at) => data[at] === byte))
  return sign ? { kind: sign[0], data } : null
}
