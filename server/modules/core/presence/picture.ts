import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { keys } from './names.ts'
import { parseKept } from './parse.ts'

const PICTURE_TTL_MS = 30 * 60_000

/** Where a picture is stored. */
export interface PictureRef {
  readonly container: 'tsd-pics'
  readonly path: string
}

/** The printer's latest picture: where it is stored and when it came, in milliseconds since 1970. */
export interface PictureRecord {
  /** Null: none came that could be kept, only damaged ones. */
  readonly raw: PictureRef | null
  readonly tagged: PictureRef | null
  readonly at: number
  /** When the detector last looked at a picture of this printer. */
  readonly checkedAt: number | null
  /** Why the picture could not be judged, or null (detection quality names). */
  readonly blind: string | null
  /** When one came since that is no picture, or not all of one. */
  readonly damagedAt?: number
  /** The last pictures do not fit what the camera showed before. */
  readonly isStrange?: boolean
}

/** The printer's latest picture; null when there is none. */
export async function readPicture(
  { live }: Pick<Ctx, 'live'>,
  printerId: PrinterId,
): Promise<PictureRecord | null> {
  return parseKept<PictureRecord>(await live.get(keys.picture(printerId)))
}

/** Replaces what is known of the latest picture; `tell` says so. */
export async function putPicture(
  { live }: Pick<Ctx, 'live'>,
  printerId: PrinterId,
  picture: PictureRecord,
): Promise<void> {
  await live.put(keys.picture(printerId), JSON.stringify(picture), PICTURE_TTL_MS)
}
