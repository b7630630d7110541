import { isFields } from '@vigil/contract/fields.ts'
import type { Turn } from '../../../engines/programs/ffmpeg.ts'

export const STRAIGHT: Turn = { flipH: false, flipV: false, rotation: 0 }

/** How the primary webcam hangs, by the settings that its agent sent: hostile input. */
export function turnOf(settings: unknown): Turn {
  const listed = isFields(settings) ? settings['webcams'] : null
  const webcams = Array.isArray(listed) ? listed.filter(isFields) : []
  const webcam = webcams.find((one) => one['is_primary_camera'] === true) ?? webcams[0]
  if (webcam === undefined) return STRAIGHT
  const rotation = [90, 180, 270].find((degrees) => degrees === Number(webcam['rotation'])) ?? 0
  return {
    flipH: webcam['flipH'] === true,
    flipV: webcam['flipV'] === true,
    rotation: rotation as Turn['rotation'],
  }
}
