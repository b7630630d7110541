/** What fills an endpoint: path places, query and body. */
export interface LooseArgs {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** Fills `:name` places and appends the query; lists repeat their key. */
export function buildPath(path: string, args: LooseArgs): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args.params?.[name])))
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(args.query ?? {})) {
    if (value === undefined || value === null) continue
    for (const each of Array.isArray(value) ? value : [value]) query.append(key, String(each))
  }
  const search = query.toString()
  return search ? `${filled}?${search}` : filled
}
