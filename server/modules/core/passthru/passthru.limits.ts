import type { PassthruCall } from '@vigil/contract/core/passthru.ts'

/** Calls at once, and a second after that: a held jog button stays below it. */
export const RATE = { burst: 40, perSecond: 10 } as const
const MAX_DETAIL = 2_000

/** What an audit row keeps of a call: no signatures of addresses, and not a whole script. */
export function auditDetail({ func, args, kwargs }: PassthruCall): Record<string, unknown> {
  const json = JSON.stringify({ func, args, kwargs }, (key, value: unknown) =>
    key === 'url' && typeof value === 'string' ? value.split('?', 1)[0] : value,
  )
  if (json.length <= MAX_DETAIL) return JSON.parse(json) as Record<string, unknown>
  return { func, cut: json.slice(0, MAX_DETAIL).toWellFormed() }
}
