import { fieldsOf } from '@vigil/contract/fields.ts'
import { parseJson } from '../../../http/bodies.ts'

/** A browser's message as an object; anything else is a sign of life and no more. */
export function readFrame(data: Buffer, isBinary: boolean): Record<string, unknown> {
  if (isBinary) return {}
  try {
    return fieldsOf(parseJson(data.toString()))
  } catch {
    return {}
  }
}
