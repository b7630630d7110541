/** What is asked for at once, in bytes: little, so that the first byte comes soon; more where the line is fast. */
export const SMALLEST = 65_536
const LARGEST = 262_144
/** And while somebody uses the page, whose requests wait behind it: 65 ms at 4 Mbit/s, whatever is in it. */
export const BESIDE_PAGE = 32_768
/** What comes sooner may be larger, and what takes longer is to be smaller: in that time others wait. */
const FAST_MS = 150
const SLOW_MS = 500

export interface ContentRange {
  readonly start: number
  /** Inclusive. */
  readonly end: number
  readonly total: number
}

/** `bytes 0-65535/1048576`; null for anything else. */
export function rangeOf(header: string | undefined): ContentRange | null {
  const [, ...numbers] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header ?? '') ?? []
  const [start, end, total] = numbers.map(Number)
  if (start === undefined || end === undefined || total === undefined) return null
  return start <= end && end < total ? { start, end, total } : null
}

/** By what a file is known again, and how to ask for parts of that one alone; null when nothing tells it from another. */
export function validatorOf(headers: Readonly<Record<string, string>>): { ifRange: string | null } | null {
  const { etag, 'last-modified': modified } = headers
  if (etag?.startsWith('"')) return { ifRange: etag }
  if (modified !== undefined) return { ifRange: modified }
  return etag === undefined ? null : { ifRange: null }
}

/** How large the next part is, after one that took so long. */
export function sizeAfter(size: number, tookMs: number): number {
  if (tookMs < FAST_MS) return Math.min(size * 2, LARGEST)
  return tookMs > SLOW_MS ? Math.max(size / 2, SMALLEST) : size
}
