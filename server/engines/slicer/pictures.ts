import sharp from 'sharp'

/** Sizes that printers and their pages show. */
const SIZES = [32, 300] as const
const MOST_PIXELS = 16_000_000
const ROW_CHARS = 78

/** Pictures of what is printed, as slicers write them below the first line of their G-code. Raises an error for what is no picture. */
export async function pictureBlocks(picture: Uint8Array): Promise<Buffer> {
  const blocks = await Promise.all(SIZES.map((size) => blockOf(picture, size)))
  return Buffer.from(blocks.join(''))
}

async function blockOf(picture: Uint8Array, size: number): Promise<string> {
  const png = await sharp(picture, { limitInputPixels: MOST_PIXELS })
    .resize(size, size, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png({ palette: true })
    .toBuffer()
  const text = png.toString('base64')
  const rows = Array.from({ length: Math.ceil(text.length / ROW_CHARS) }, (_, i) =>
    text.slice(i * ROW_CHARS, (i + 1) * ROW_CHARS),
  )
  const lines = [`thumbnail begin ${size}x${size} ${text.length}`, ...rows, 'thumbnail end']
  return `;\n${lines.map((line) => `; ${line}\n`).join('')};\n`
}
