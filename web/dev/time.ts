/** A timestamp so many seconds ago. */
export const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
