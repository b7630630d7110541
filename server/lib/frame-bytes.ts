import type { RawData } from 'ws'

/** The bytes of a frame, in whichever form `ws` hands them on. */
export const frameBytes = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
