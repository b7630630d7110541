import { BadPicture, DetectorUnavailable } from '../../../engines/inference/port.ts'
import { reencode } from '../../../engines/inference/reencode.ts'
import { AppError, unavailable } from '../../../http/errors.ts'
import { PictureError, readDimensions, stripJpeg } from '../../../lib/jpeg.ts'

const MAX_PIXELS = 40_000_000
/** Larger pictures are scaled to fit 1280x960 (docs/rules/watch.md 1). */
const MAX_SIDE = 1296

/** A picture as it is stored. */
export interface Picture {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** What came is no picture, or not all of one. */
export class Damaged extends AppError {
  constructor(why: string) {
    super(400, [why])
  }
}

const NO_PICTURE = 'Upload a valid image. The file you uploaded was either not an image or a corrupted image.'
const CUT_OFF = 'The picture is cut off or damaged: a part of it is missing.'

/**
 * A picture as we store it: metadata and trailing bytes stripped; only other formats, large pictures and JPEGs
 * without their end are decoded. Raises 400 with a bare array for anything that is no picture, or not all of one:
 * a part that is missing could not be judged (docs/wire/rest.md 3).
 */
export async function cleanPicture(bytes: Buffer): Promise<Picture> {
  const { format, width, height } = orRefuse(NO_PICTURE, () => readDimensions(bytes))
  if (width * height > MAX_PIXELS) throw new AppError(400, ['The picture is too large.'])
  const plain = format === 'jpeg' ? stripped(bytes) : null
  return plain && Math.max(width, height) <= MAX_SIDE
    ? { bytes: plain, width, height }
    : await rewritten(plain ?? bytes)
}

function orRefuse<T>(why: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    throw new Damaged(why)
  }
}

/** The JPEG without its metadata; null when its segments do not lead to an end. */
function stripped(bytes: Buffer): Buffer | null {
  try {
    const { buffer, byteOffset, length } = stripJpeg(bytes)
    return Buffer.from(buffer, byteOffset, length)
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    return null
  }
}

/** Decoded and written again: some cameras leave the end marker out, which makes up for it; missing rows do not. */
async function rewritten(bytes: Buffer): Promise<Picture> {
  try {
    const made = await reencode(bytes)
    return { bytes: made, ...readDimensions(made) }
  } catch (error) {
    if (error instanceof DetectorUnavailable)
      throw unavailable('Too many pictures are waiting. Please try again.')
    if (error instanceof BadPicture) throw new Damaged(CUT_OFF)
    throw error
  }
}
