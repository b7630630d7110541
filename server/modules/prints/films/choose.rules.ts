/** Which frames a film is made of, and how fast it plays. Pure. */

/** Longest film, in seconds, and the fewest pictures of a second. */
const LONGEST_S = 60
const SLOWEST = 8
const USUAL_FASTEST = 30
/** Where very many frames are of alerts. */
const FASTEST = 60
/** However many frames are of alerts, so many of the others stay, so that a film shows the whole print. */
const LEAST_OTHERS = 300

/**
 * Places of the frames that a film is made of, in order: all, or as many as a minute shows, evenly spread. Frames of an
 * alert are not left out; of more than a minute can show, those where one begins stay.
 */
export function chooseFrames(alerts: readonly boolean[]): number[] {
  const usual = LONGEST_S * USUAL_FASTEST
  if (alerts.length <= usual) return alerts.map((_, place) => place)
  const places = [...alerts.keys()]
  const most = LONGEST_S * FASTEST
  let kept = places.filter((place) => alerts[place])
  if (kept.length > most - LEAST_OTHERS) {
    const begins = kept.filter((place) => !alerts[place - 1])
    const rest = kept.filter((place) => alerts[place - 1])
    const room = most - LEAST_OTHERS
    kept = [...spread(begins, room), ...spread(rest, Math.max(0, room - begins.length))]
  }
  const others = spread(
    places.filter((place) => !alerts[place]),
    Math.max(LEAST_OTHERS, usual - kept.length),
  )
  return [...kept, ...others].sort((a, b) => a - b)
}

/** Up to `count` of these, evenly spread, the first and the last among them. */
function spread(places: readonly number[], count: number): number[] {
  if (places.length <= count) return [...places]
  if (count === 0) return []
  const step = count === 1 ? 0 : (places.length - 1) / (count - 1)
  return Array.from({ length: count }, (_, n) => places[Math.round(n * step)]!)
}

/** Pictures of a second: so many that the film is no longer than a minute. */
export const picturesPerSecond = (frames: number): number => Math.max(SLOWEST, Math.ceil(frames / LONGEST_S))

interface Size {
  readonly width: number
  readonly height: number
}
const SMALLEST: Size = { width: 320, height: 240 }
const even = (pixels: number) => Math.max(2, pixels + (pixels % 2))

/** Size of the film in pixels, even: that of most of the pictures, turned as the camera hangs. */
export function filmSize(frames: readonly Size[], rotation: number): Size {
  const counts = new Map<string, { size: Size; count: number }>()
  for (const { width, height } of frames) {
    const key = `${width}x${height}`
    const known = counts.get(key) ?? { size: { width, height }, count: 0 }
    counts.set(key, { ...known, count: known.count + 1 })
  }
  let most = { size: SMALLEST, count: 0 }
  for (const one of counts.values()) if (one.count > most.count) most = one
  const { width, height } = most.size
  const isOnItsSide = rotation === 90 || rotation === 270
  return { width: even(isOnItsSide ? height : width), height: even(isOnItsSide ? width : height) }
}

/** Seconds that a print has to last for a film of it to be made; below 0 none is made ever. */
export function isLongEnough(
  { startedAt, endedAt, isCancelled }: { startedAt: Date | null; endedAt: Date; isCancelled: boolean },
  least: { minTimelapseSecsOnFinish: number; minTimelapseSecsOnCancel: number },
): boolean {
  const threshold = isCancelled ? least.minTimelapseSecsOnCancel : least.minTimelapseSecsOnFinish
  if (threshold < 0) return false
  return startedAt === null || (endedAt.getTime() - startedAt.getTime()) / 1000 >= threshold
}
