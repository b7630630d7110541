import type { WatchBody } from './janus.rules.ts'

/** What a viewer's stream carries. `video`: pictures, in whatever way. `data`: the printer's status alone. */
export type Carries = 'video' | 'data'

/** Whether a viewer may watch this, as what, and how it is asked for. */
export interface Watching {
  readonly carries: Carries
  readonly body: WatchBody
}

interface Camera {
  readonly id: number
  readonly isMjpeg: boolean
}

/** Cameras as an agent's settings tell them: hostile input. */
function camerasOf(settings: unknown): Camera[] {
  const webcams = (settings as { webcams?: unknown } | null)?.webcams
  if (!Array.isArray(webcams)) return []
  return webcams.flatMap((webcam: unknown) => {
    const { stream_id: given, stream_mode: mode } = (webcam ?? {}) as Record<string, unknown>
    const id = typeof given === 'string' && given !== '' ? Number(given) : given
    return typeof id === 'number' && Number.isSafeInteger(id)
      ? [{ id, isMjpeg: typeof mode === 'string' && mode.includes('mjpeg') }]
      : []
  })
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
