import type { FastifyInstance } from 'fastify'

/**
 * Answers which methods a path knows instead of the given one, as the words of an `Allow` header; null when the
 * path itself is unknown. Asked only when nothing matched, so it may be slow.
 */
export function createMethodFinder(app: FastifyInstance): (method: string, url: string) => string | null {
  let rows: { method: string; pattern: RegExp }[] = []
  let seen = -1
  return (wanted, url) => {
    if (seen !== app.routeTable.length) {
      seen = app.routeTable.length
      rows = app.routeTable
        .filter(({ kind }) => kind === 'rest')
        .map(({ method, path }) => ({ method, pattern: patternOf(path) }))
    }
    const path = url.split('?', 1)[0] ?? '/'
    const methods = rows.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0 || methods.includes(wanted)) return null
    return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(
      ', ',
    )
  }
}

function patternOf(path: string): RegExp {
  const parts = path.replace(/\/$/, '').split('/')
  const pattern = parts.map((part) =>
    part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  )
  // oxlint-disable-next-line house/bounded -- of our own routes, from the start of a path on
  return new RegExp(`^${pattern.join('/')}/?$`)
}
