/** A record of ours as it stands in `live` or came as a message; null when there is none. */
export const parse = <T>(bytes: Buffer | null): T | null =>
  bytes === null ? null : (JSON.parse(bytes.toString()) as T)

/** What was read once is not read again while its bytes are the same. */
const read = new WeakMap<Buffer, unknown>()

/** The same of a value that is asked for again and again. Nobody changes it: others read it too. */
export function parseKept<T>(bytes: Buffer | null): T | null {
  if (bytes === null) return null
  const known = read.get(bytes)
  if (known !== undefined) return known as T
  const value = JSON.parse(bytes.toString()) as T
  read.set(bytes, value)
  return value
}
