import { z } from 'zod'
import { mountpoint, type WatchBody } from './janus.rules.ts'

/** What a viewer's stream carries. `video`: pictures, in whatever way. `data`: the printer's status alone. */
export type Carries = 'video' | 'data'

/** Whether a viewer may watch this, as what, and how it is asked for. */
export interface Watching {
  readonly carries: Carries
  readonly body: WatchBody
}

const webcam = z
  .object({ stream_id: mountpoint, stream_mode: z.string().optional().catch(undefined) })
  .transform(({ stream_id: id, stream_mode: mode }) => ({ id, isMjpeg: mode?.includes('mjpeg') ?? false }))
const settingsOf = z.object({ webcams: z.array(z.unknown()) })

/** Cameras as an agent's settings tell them: hostile input. */
function camerasOf(settings: unknown): z.infer<typeof webcam>[] {
  const read = settingsOf.safeParse(settings)
  return (read.data?.webcams ?? []).flatMap((one) => webcam.safeParse(one).data ?? [])
}

/**
 * What a viewer is given who asks to watch. A share link shows cameras and no status: the data of a camera is asked for only where it
 * is its picture. Null: not to be seen by this viewer.
 */
export function watchOf(asked: WatchBody, settings: unknown, isGuest: boolean): Watching | null {
  const camera = camerasOf(settings).find(({ id }) => id === asked.id)
  if (isGuest && camera === undefined) return null
  if (isGuest && camera?.isMjpeg === false) return { carries: 'video', body: { ...asked, offer_data: false } }
  const isData = asked.offer_video === false && camera?.isMjpeg !== true
  return { carries: isData ? 'data' : 'video', body: asked }
}

/** Whether a viewer may ask what this is. */
export const mayAsk = (id: number, settings: unknown, isGuest: boolean): boolean =>
  !isGuest || camerasOf(settings).some((camera) => camera.id === id)
