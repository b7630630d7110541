import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { topics } from './names.ts'
import { parse } from './parse.ts'
import type { RawStatus } from './status.ts'

/**
 * What browser sockets of any node hear. `status`: a newer status, nothing else changed. `live`: read the live keys again (a
 * picture came, the agent's state changed). `changed`: read the rows again. `gone`: the printer is no more.
 */
export type News =
  | { readonly kind: 'status'; read(): RawStatus | null }
  | { readonly kind: 'live' | 'changed' | 'gone' }

/** Longer news are statuses. */
const SHORT = 256
const SIMPLE = ['live', 'changed', 'gone'] as const

/** Tells every browser of the printer; statuses are told by `putStatus`. */
export function tell({ live }: Pick<Ctx, 'live'>, printerId: PrinterId, kind: (typeof SIMPLE)[number]): void {
  live.publish(topics.news(printerId), `{"kind":"${kind}"}`)
}

/** Calls `fn` with the printer's news until the returned function is called. A status is parsed when it is read, if ever. */
export async function onNews(
  { live }: Pick<Ctx, 'live'>,
  printerId: PrinterId,
  fn: (news: News) => void,
): Promise<() => void> {
  return await live.subscribe(topics.news(printerId), (message) => fn(newsOf(message)))
}

function newsOf(message: Buffer): News {
  // The kind stands first: most news are statuses, which are large and wait unread.
  if (message.length > SHORT || message.includes('"kind":"status"'))
    return { kind: 'status', read: () => parse<{ status: RawStatus | null }>(message)?.status ?? null }
  const said = parse<{ kind: string }>(message)
  return { kind: SIMPLE.find((kind) => kind === said?.kind) ?? 'changed' }
}
