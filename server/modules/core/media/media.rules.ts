const DAY_MS = 24 * 3_600_000

/** What a browser may show by itself; everything else is bytes to it. Nothing here can carry a script. */
const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  json: 'application/json',
}

/** Content type by a file's name (docs/wire/rest.md 7). */
export function contentType(path: string): string {
  const extension = /\.([^./]{1,20})$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(TYPES, extension) ? TYPES[extension]! : 'application/octet-stream'
}

/**
 * When an address given out now ends, in seconds: 24 hours for pictures, 7 days for the rest, rounded up to a
 * quarter or a day, so that the same file keeps its address, and browsers their copy, meanwhile (docs/wire/rest.md 7).
 */
export function expiryOf(container: string, now: number): number {
  const [ttl, window] = container === 'tsd-pics' ? [DAY_MS, DAY_MS / 4] : [7 * DAY_MS, DAY_MS]
  return (Math.ceil((now + ttl) / window) * window) / 1_000
}

/** Changes whenever an address that is given out now would be another one than before, and no earlier. */
export const addressPeriod = (now: number): number => Math.ceil(now / (DAY_MS / 4))
