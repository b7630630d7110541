/** `2026-11-21T13:45`, as a field of date and time wants it, in the browser's zone. */
export function toLocalInput(at: number | null): string {
  if (at === null) return ''
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** Back to a timestamp with its zone; an empty field is none. */
export function fromLocalInput(text: string): string | null {
  const at = text ? new Date(text) : null
  return at && Number.isFinite(at.getTime()) ? at.toISOString() : null
}
