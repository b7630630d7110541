import type { FramePrediction } from '@vigil/contract/prints/timelapse.ts'
import type { PrinterId } from '../../../lib/id.ts'
import { chooseFrames } from './choose.rules.ts'
import type { Look, StoredFrame } from './frames.queries.ts'

/** What was known at a look counts for the frames of so long after it, as long as it counts as watched on the slowest plan. */
const KNOWN_MS = 50_000

/** A frame with what was said of it. */
export interface Scene {
  readonly frame: StoredFrame
  /** Of this very frame. */
  readonly look: Look | null
  /** The newest look by then, if that is not too old to be what Vigil knew, and saw something. */
  readonly known: Look | null
}

/** Frames with what was said of them, in the order of the frames. */
export function scenesOf(frames: readonly StoredFrame[], looks: readonly Look[]): Scene[] {
  const byFrame = new Map(looks.map((look) => [look.frameId, look]))
  let next = 0
  let known: Look | null = null
  return frames.map((frame) => {
    for (let look = looks[next]; look && look.at <= frame.at; look = looks[++next]) known = look
    const own = byFrame.get(frame.id) ?? null
    const newest: Look | null = own ?? known
    const isYoung = newest !== null && frame.at.getTime() - newest.at.getTime() <= KNOWN_MS
    return { frame, look: own, known: isYoung && newest.blind === null ? newest : null }
  })
}

/** The scenes that a film shows. */
export const chosenOf = (scenes: readonly Scene[]): Scene[] =>
  chooseFrames(scenes.map(({ look }) => look !== null && look.decision !== 'none')).map(
    (place) => scenes[place]!,
  )

/** How often the detector began to warn. */
export const issuesOf = (looks: readonly Look[]): number =>
  looks.filter(({ decision }, n) => decision !== 'none' && (looks[n - 1]?.decision ?? 'none') === 'none')
    .length

/** The element of the prediction JSON for a scene; `{}` where nothing was known. */
export function predictionOf(
  printerId: PrinterId | null,
  { known }: Scene,
): FramePrediction | Record<string, never> {
  if (known === null) return {}
  const { at, state } = known
  const time = at.toISOString()
  return {
    model: 'app.printerprediction',
    pk: printerId ?? 0,
    fields: {
      current_frame_num: state.currentFrameNum,
      lifetime_frame_num: state.lifetimeFrameNum,
      current_p: state.currentP,
      ewm_mean: state.ewmMean,
      rolling_mean_long: state.rollingMeanLong,
      rolling_mean_short: state.rollingMeanShort,
      normalized_p: state.normalizedP,
      created_at: time,
      updated_at: time,
    },
  }
}

/** So many points are kept of what was seen: a row of the history is no wider. */
const CURVE_MOST = 32

/** The scores of the scenes in 0 to 100, null where nothing was known; of those that share a point the highest. Null: nobody looked. */
export function curveOf(scenes: readonly Scene[]): (number | null)[] | null {
  if (scenes.every(({ known }) => known === null)) return null
  const points = Math.min(CURVE_MOST, scenes.length)
  const placeOf = (point: number) => Math.round((point * scenes.length) / points)
  return Array.from({ length: points }, (_, point) => {
    const seen = scenes
      .slice(placeOf(point), placeOf(point + 1))
      .flatMap(({ known }) => known?.state.normalizedP ?? [])
    if (seen.length === 0) return null
    return Math.round(Math.min(1, Math.max(0, ...seen)) * 100)
  })
}
