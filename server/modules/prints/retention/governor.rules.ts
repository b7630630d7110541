/** Above what must stay free so much more is freed at once, so that it is not done by the picture. */
const AHEAD = 1.25

/** What a kind takes, may take, and what the disk has. */
export interface Room {
  readonly usedBytes: number
  /** 0: any. */
  readonly limitBytes: number
  /** Null: the disk is not ours. */
  readonly freeBytes: number | null
  readonly keepBytes: number
}

/** Bytes that must go: above the limit, or missing on a disk that is nearly full. Zero or less: none. */
export function excess({ usedBytes, limitBytes, freeBytes, keepBytes }: Room): number {
  const above = limitBytes === 0 ? 0 : usedBytes - limitBytes
  const isScarce = freeBytes !== null && freeBytes < keepBytes
  return Math.max(above, isScarce ? keepBytes * AHEAD - freeBytes : 0)
}
