import sharp from 'sharp'

const LONGEST_SIDE = 800
const MOST_PIXELS = 40_000_000

/** A stranger's picture, coded anew: WebP, 800 px at most, nothing in it but what is seen. Raises an error for what is none. */
export async function plainPicture(bytes: Uint8Array): Promise<Buffer> {
  return await sharp(bytes, { limitInputPixels: MOST_PIXELS })
    .rotate()
    .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer()
}
