import type { RouteRow } from '../http/route.ts'

const served = new Map<string, string>()

/** Who listens there serves these routes. */
export function servesRoutes(origin: string, routes: readonly RouteRow[]): void {
  const said = routes.map(({ kind, method, path, callers }) => [kind, method, path, ...callers].join(' '))
  served.set(origin, said.join('\n'))
}

/** Those of a server of this process: with the same ones two have the same document. */
export const routesOf = (origin: string): string | undefined => served.get(origin)
