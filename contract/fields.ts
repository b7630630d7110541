/** An object of which nothing is known but that it has fields. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What somebody else sent, read by its fields; none where it is no object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
