import type { Camera } from '../../../printer/camera/camera.ts'

/** What can stand in the big place: the picture that an alert is about, or what a camera shows now. */
export interface View {
  key: string
  kind: 'alert' | 'live'
  camera: Camera
}

export const ALL = 'all'
const ALERT = 'alert'

interface Choice {
  /** A camera by its key, or `all`. One that has vanished means all of them (docs/rules/pages.md 2). */
  preferred: string
  /** When the open alert with a picture was raised; null for none. */
  alerted: string | null
  /** What was pressed, and during which alert: a choice lasts as long as what it was made about. */
  picked: { key: string; alerted: string | null } | null
}

/**
 * Which pictures stand where. An alert's picture takes the big place until it is answered, and the main camera's
 * latest one stands beside it, whatever camera is preferred.
 */
export function arrange(
  all: readonly Camera[],
  { preferred, alerted, picked }: Choice,
): { big: View; rest: View[] } {
  const main = all.find(({ primary }) => primary) ?? all[0]!
  const isKnown = all.some(({ key }) => key === preferred)
  const wanted = (camera: Camera) =>
    !isKnown || camera.key === preferred || (alerted !== null && camera === main)
  const lives = all.filter(wanted).map((camera): View => ({ key: camera.key, kind: 'live', camera }))
  const views: View[] = alerted === null ? lives : [{ key: ALERT, kind: 'alert', camera: main }, ...lives]
  const chosen = picked?.alerted === alerted ? picked.key : null
  const big =
    views.find(({ key }) => key === chosen) ??
    views.find(({ kind, camera }) => kind === 'alert' || (alerted === null && camera === main)) ??
    views[0]!
  return { big, rest: views.filter((view) => view !== big) }
}
