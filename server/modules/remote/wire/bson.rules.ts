/** An element of a BSON document; its value lies between `start` and `end`. */
export interface Element {
  readonly type: number
  readonly name: string
  readonly start: number
  readonly end: number
}

export const BSON = { string: 2, document: 3, array: 4, binary: 5, boolean: 8, int32: 16 } as const

/** How long a value of a kind is that has one length. */
const FIXED: Readonly<Record<number, number>> = { 1: 8, 7: 12, 8: 1, 9: 8, 10: 0, 16: 4, 17: 8, 18: 8 }
const MOST = 1_000
const LONGEST_NAME = 256

/**
 * The elements of the document that begins at `at`, none of them read: a body of many megabytes is not touched, and a stranger's
 * million of small ones makes no million of values. Raises an error on what is no document, or has more than MOST of them.
 */
export function* elementsOf(bytes: Buffer, at: number, limit: number): Generator<Element> {
  const end = at + bytes.readInt32LE(at)
  if (end > limit || end < at + 5 || bytes[end - 1] !== 0) throw new RangeError('no BSON document')
  let next = at + 4
  for (let count = 0; next < end - 1; count++) {
    if (count === MOST) throw new RangeError('too many elements')
    const type = bytes.readUInt8(next)
    const nameEnd = bytes.subarray(0, Math.min(end, next + LONGEST_NAME)).indexOf(0, next + 1)
    if (nameEnd < 0) throw new RangeError('a name does not end')
    const name = bytes.toString('utf8', next + 1, nameEnd)
    const start = nameEnd + 1
    next = start + lengthOf(bytes, type, start)
    if (next > end - 1) throw new RangeError('a value does not end')
    yield { type, name, start, end: next }
  }
}

function lengthOf(bytes: Buffer, type: number, at: number): number {
  const fixed = FIXED[type]
  if (fixed !== undefined) return fixed
  const length = bytes.readInt32LE(at)
  if (length < 0) throw new RangeError('a length below nothing')
  if (type === BSON.string) return 4 + length
  if (type === BSON.document || type === BSON.array) return length
  if (type === BSON.binary) return 5 + length
  throw new RangeError(`elements of type ${type} are not used`)
}

/** Text or bytes as bytes, shared with the document; null for anything else. */
export function contentOf(bytes: Buffer, { type, start, end }: Element): Buffer | null {
  if (type === BSON.string) return bytes.subarray(start + 4, Math.max(start + 4, end - 1))
  return type === BSON.binary ? bytes.subarray(start + 5, end) : null
}

/** A text; null for anything else, or a longer one. */
export function textOf(bytes: Buffer, element: Element, longest: number): string | null {
  if (element.type !== BSON.string || element.end - element.start > longest + 5) return null
  return contentOf(bytes, element)?.toString('utf8') ?? null
}
