import sharp from 'sharp'

/** A noisy picture with edges, so that the JPEG is about as large as a webcam's. */
export async function webcamPicture(width: number, height: number, quality = 85): Promise<Buffer> {
  const rgb = Buffer.alloc(width * height * 3)
  let state = 7
  for (let i = 0; i < rgb.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const pixel = Math.floor(i / 3)
    const edge = ((pixel % width) >> 5) + (Math.floor(pixel / width) >> 5)
    rgb[i] = 60 + (edge % 2) * 90 + (state >>> 28)
  }
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer()
}
