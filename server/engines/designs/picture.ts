import sharp from 'sharp'

const LONGEST_SIDE = 800
const MOST_PIXELS = 40_000_000
/** What cameras and browsers write: of others some are programs (SVG), which may take for ever. */
const FORMATS: readonly (string | undefined)[] = ['jpeg', 'png', 'webp', 'gif', 'heif']
const TIME_S = 10

/** A stranger's picture, coded anew: WebP, 800 px at most, nothing in it but what is seen. Raises an error for what is none. */
export async function plainPicture(bytes: Uint8Array): Promise<Buffer> {
  const image = sharp(bytes, { limitInputPixels: MOST_PIXELS })
  const { format } = await image.metadata()
  if (!FORMATS.includes(format)) throw new Error(`${format} is no format of pictures`)
  return await image
    .rotate()
    .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds: TIME_S })
    .toBuffer()
}
