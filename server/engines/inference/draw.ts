/** The picture that owners see: with frames around what looks like a failure (docs/rules/watch.md 1 step 6). */
import type { Box, BoxTone } from './port.ts'
import { inImageWorker } from './reencode.ts'

/**
 * JPEG of the picture with the boxes drawn, in a worker thread. Boxes are in pixels of the picture.
 * Throws BadPicture, or DetectorUnavailable when too many pictures wait.
 */
export function drawBoxes(
  picture: Uint8Array,
  { boxes, tone }: { boxes: readonly Box[]; tone: BoxTone },
): Promise<Buffer> {
  return inImageWorker(picture, { boxes, tone })
}
