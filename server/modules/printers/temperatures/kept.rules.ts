/** A point of a print's temperatures, so often at most. */
export const POINT_EVERY_MS = 30_000
/** What one print keeps when it has ended: a day in full, of a longer one every second point, and so on. */
export const MAX_POINTS = 2_880

/** At most so many lines, evenly taken, first and last among them. */
export function thinned(lines: readonly string[], atMost = MAX_POINTS): string[] {
  if (lines.length <= atMost) return [...lines]
  const step = (lines.length - 1) / (atMost - 1)
  return Array.from({ length: atMost }, (_, at) => lines[Math.round(at * step)] ?? '')
}

/** When a line was taken, in seconds; every line begins `[t,`. */
export const timeOf = (line: string): number => Number(/^\[(\d+),/.exec(line)?.[1] ?? 0)
