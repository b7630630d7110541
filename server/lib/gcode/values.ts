/** What slicers write behind a key, as numbers. Each reads a text of any length from a stranger; null is "not said". */

/** The first number of a text; lists (`210,205`, `"210";"205"`) give their first. */
export function numberOf(text: string | undefined): number | null {
  const found = text?.slice(0, 200).match(/-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?/i)
  return found ? finite(Number(found[0])) : null
}

/** Like {@link numberOf}, but nothing unless it is above 0. */
export function aboveZero(text: string | undefined): number | null {
  const value = numberOf(text)
  return value !== null && value > 0 ? value : null
}

/** What the first of these keys says that says anything. */
export function pick<T>(
  read: (text: string | undefined) => T | null,
  look: (key: string) => string | undefined,
  keys: readonly string[],
): T | null {
  for (const key of keys) {
    const value = read(look(key))
    if (value !== null) return value
  }
  return null
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1 }

/** Seconds of `1d 2h 3m 4s`, `1 hours 2 minutes`, `66.3 minutes`, `3723` or `12s`; null for nothing above 0. */
export function secondsOf(text: string | undefined): number | null {
  if (text?.trimStart().startsWith('-')) return null
  let seconds = 0
  for (const [, amount, unit] of text?.slice(0, 200).matchAll(/(\d+(?:\.\d+)?) ?([a-z]?)/gi) ?? [])
    seconds += Number(amount) * (UNIT_SECONDS[unit === '' ? 's' : (unit ?? '').toLowerCase()] ?? 0)
  return seconds > 0 ? finite(seconds) : null
}

/** Millimetres of all lengths of a list: `12.5, 3`, `1.2m, 0m`, `1234.5mm (3.0cm3)`; null for nothing above 0. */
export function lengthOf(text: string | undefined): number | null {
  const [plain = ''] = text?.slice(0, 1000).split('(', 1) ?? []
  let sum = 0
  for (const [, amount, unit] of plain.matchAll(/(\d{1,15}(?:\.\d{1,15})?) ?([a-z]{0,3})/gi))
    sum += Number(amount) * (unit?.toLowerCase() === 'm' ? 1000 : 1)
  return sum > 0 ? finite(sum) : null
}

/** The first of a list of texts, without quotes: `"My PLA";"Other"` is `My PLA`. At most 200 characters. */
export function nameOf(text: string | undefined): string | null {
  const quoted = text?.slice(0, 1000).match(/^\[?"([^"]{0,200})"/)
  const first = (quoted?.[1] ?? text?.split(';', 1)[0] ?? '').trim().slice(0, 200)
  return first === '' ? null : first
}

const finite = (value: number) => (Number.isFinite(value) ? value : null)
