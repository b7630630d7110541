import sharp from 'sharp'
import type { Box } from './port.ts'

/** Colour of the frame around a suspicion; the owner's page and old clients see the same picture. */
const COLOUR = '#ff5a5f'

/** The picture with a frame around each box, as JPEG; the picture itself is left as it was. */
export async function drawBoxes(
  picture: Uint8Array,
  { boxes, width, height }: { boxes: readonly Box[]; width: number; height: number },
): Promise<Buffer> {
  const stroke = Math.max(2, Math.round(Math.min(width, height) / 160))
  const shapes = boxes
    .map((box) => {
      const [x, y, w, h] = [box.x, box.y, box.w, box.h].map((value) => value.toFixed(1))
      return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${stroke * 2}" fill="none" stroke="${COLOUR}" stroke-width="${stroke}"/>`
    })
    .join('')
  const overlay = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`
  return await sharp(picture)
    .composite([{ input: Buffer.from(overlay) }])
    .jpeg({ quality: 85 })
    .toBuffer()
}
