/** Pictures out of G-code files, as PNG. Runs in worker threads only. */
import sharp, { type Sharp } from 'sharp'
import { decodeQoi, decodeRgb565 } from '../../lib/gcode/raster.ts'
import type { Embedded } from '../../lib/gcode/thumbnails.ts'
import { assertDecodable, readDimensions } from '../../lib/jpeg.ts'
import { BadPicture } from './port.ts'

const MOST_PIXELS = 4_000_000
const FIT = { width: 640, height: 640, fit: 'inside', withoutEnlargement: true } as const

/** A PNG that fits into 640 x 640, opacity kept, made anew from its pixels. Throws {@link BadPicture}. */
export async function embeddedPng(embedded: Embedded): Promise<Buffer> {
  try {
    return await opened(embedded).resize(FIT).png({ compressionLevel: 9 }).toBuffer()
  } catch (error) {
    throw new BadPicture(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function opened({ kind, data, width = 0, height = 0 }: Embedded): Sharp {
  if (kind === 'png' || kind === 'jpeg') {
    assertDecodable(readDimensions(data), MOST_PIXELS)
    return sharp(data, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
  }
  const { rgba, ...size } = kind === 'qoi' ? decodeQoi(data) : decodeRgb565(data, width, height)
  return sharp(rgba, { raw: { ...size, channels: 4 } })
}
