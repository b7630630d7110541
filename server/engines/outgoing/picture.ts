import sharp from 'sharp'

/** How a camera hangs: mirrored first, then turned clockwise. */
export interface Orientation {
  readonly flipH: boolean
  readonly flipV: boolean
  readonly rotation: 0 | 90 | 180 | 270
}

/** A picture of ours as a message carries it: upright, no edge longer than `longest` pixels. JPEG. */
export async function uprightPicture(
  picture: Uint8Array,
  { flipH, flipV, rotation }: Orientation,
  longest: number,
): Promise<Buffer> {
  return await sharp(picture)
    .flop(flipH)
    .flip(flipV)
    .rotate(rotation)
    .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 85 })
    .toBuffer()
}
