/** Search values stay the text they are: a code such as 012345 must not become a number. What comes twice is a list in one text. */
export function parseSearch(search: string): Record<string, string> {
  const given = new URLSearchParams(search)
  return Object.fromEntries([...new Set(given.keys())].map((name) => [name, given.getAll(name).join(',')]))
}

/** The address for such values; what is not given is left out, a list comes as often as it is long. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).filter((one) => one != null).map((one) => [key, String(one)]),
  )
  const text = new URLSearchParams(given).toString()
  return text ? `?${text}` : ''
}
