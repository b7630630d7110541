/** A rectangle of the window, in pixels. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export const PLACES = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const
export type Place = (typeof PLACES)[number]

interface Room {
  width: number
  height: number
  /** Kept free of toasts at each side: bars, the edge. */
  inset: Box
}

/** Where toasts of a size stand at a place. */
export function boxAt(
  place: Place,
  size: { width: number; height: number },
  { width, height, inset }: Room,
): Box {
  const [edge, side] = place.split('-')
  const left = side === 'left' ? inset.left : Math.max(inset.left, width - inset.right - size.width)
  const top = edge === 'top' ? inset.top : Math.max(inset.top, height - inset.bottom - size.height)
  return { left, top, right: left + size.width, bottom: top + size.height }
}

/** How much of one box lies over another, in square pixels. */
export function overlap(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return width > 0 && height > 0 ? width * height : 0
}

const covered = (box: Box, others: readonly Box[]) =>
  others.reduce((sum, other) => sum + overlap(box, other), 0)

/**
 * Where toasts stand: as long as they cover nothing that is in use, where they are; else where they cover least of it,
 * and of those where they cover fewest controls, the first place first.
 */
export function choosePlace(
  at: Place | null,
  boxOf: (place: Place) => Box,
  inUse: readonly Box[],
  controls: readonly Box[],
): Place {
  if (at && covered(boxOf(at), inUse) === 0) return at
  const weighed = PLACES.map((place) => {
    const box = boxOf(place)
    return { place, use: covered(box, inUse), over: controls.filter((one) => overlap(box, one) > 0).length }
  })
  return weighed.toSorted((a, b) => a.use - b.use || a.over - b.over)[0]!.place
}
