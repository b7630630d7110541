import { useParams, useSearch } from '@tanstack/react-router'

/** What stands after `?` in the address, as text. */
export function useQueryValues(): Record<string, string> {
  return useSearch({ strict: false })
}

/** The text in a place of the route's path, such as `$target`. */
export function usePlace(name: string): string | undefined {
  const places: Record<string, string | undefined> = useParams({ strict: false })
  return places[name]
}

/** The id in the route's path; NaN when it isn't a number. */
export function useId(): number {
  return Number(usePlace('id'))
}
