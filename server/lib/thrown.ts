/** What was thrown says: an error's message; anything else, itself. */
export const textOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'message' in thrown
    ? String(thrown.message)
    : String(thrown)

/** Its code (`ENOENT`, `40P01`); '' where it has none. */
export const codeOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : ''
