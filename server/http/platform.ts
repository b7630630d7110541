import { fieldsOf } from '@vigil/contract/fields.ts'
import type { FastifyRequest } from 'fastify'

const WORD = /^[a-z][a-z0-9_-]{0,31}$/

/** The app in whose web view our page stands, as it says in a header or its name: `ios`, `android`; else null. */
export function appOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const said = headers['x-tsd-platform'] ?? /^TSDApp-(\w+)/i.exec(headers['user-agent'] ?? '')?.[1]
  const word = typeof said === 'string' ? said.toLowerCase() : ''
  return WORD.test(word) ? word : null
}

/** The same for what a page shows: `?platform=` overrides (docs/wire/browsers.md 5). */
export function platformOf(request: FastifyRequest): string | null {
  const asked = fieldsOf(request.query)['platform']
  if (asked === undefined) return appOf(request)
  const word = typeof asked === 'string' ? asked.toLowerCase() : ''
  return WORD.test(word) ? word : null
}
