/** A list with `id` behind `after`, or at its front; null when one of them is not in it. */
export function moved(ids: readonly number[], id: number, after: number | null): number[] | null {
  if (!ids.includes(id) || id === after) return null
  const rest = ids.filter((one) => one !== id)
  const at = after === null ? 0 : rest.indexOf(after) + 1
  if (after !== null && at === 0) return null
  return [...rest.slice(0, at), id, ...rest.slice(at)]
}
