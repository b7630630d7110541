/** Where a print stands in the list that led here, from 0; null when the address does not say so. */
export function indexOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** The rows around that place: three, or the first two. */
export const spanOf = (index: number) =>
  index === 0 ? { start: 0, limit: 2 } : { start: index - 1, limit: 3 }

/** Its neighbours; null when it does not stand where it should: the list has changed, or was another one. */
export function siblingsOf<T extends { id: number }>(rows: readonly T[], id: number, index: number) {
  const own = index === 0 ? 0 : 1
  if (rows[own]?.id !== id) return null
  return { before: own === 0 ? null : (rows[0] ?? null), after: rows[own + 1] ?? null }
}
