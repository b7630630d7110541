import { randomBytes } from 'node:crypto'

/** A share token: 36 lower-case hex characters, 144 random bits. */
export const newShareToken = () => randomBytes(18).toString('hex')

/** What cannot be a share token is not looked for. */
export const isShareToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{36}$/.test(value)

/** The gauge of each frame and nothing else: `p` from 0 to 1, null where nobody looked. `[]` of what is no list. */
export function gaugeOf(predictions: unknown): { p: number | null }[] {
  if (!Array.isArray(predictions)) return []
  return predictions.map((element: { fields?: { normalized_p?: unknown } } | null) => {
    const p = element?.fields?.normalized_p
    return { p: typeof p === 'number' && Number.isFinite(p) ? p : null }
  })
}
