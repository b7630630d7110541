import { parseJson } from '../../../http/bodies.ts'

/** A browser's message as an object; anything else is a sign of life and no more. */
export function readFrame(data: Buffer, isBinary: boolean): Record<string, unknown> {
  if (isBinary) return {}
  try {
    const frame = parseJson(data.toString())
    return typeof frame === 'object' && frame !== null && !Array.isArray(frame)
      ? (frame as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}
