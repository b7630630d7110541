import type { Factor } from '@vigil/contract/people/proof.ts'
import type { Wanted } from '../../../lib/proof.ts'
import { readWanted } from '../../../lib/proof.ts'

/** Somebody has come from a provider, and one thing is wanted yet. */
export interface Arrival {
  readonly provider: string
  /** What waits to be connected. */
  readonly link: string | undefined
  /** The second factor; null: the password of the account. */
  readonly wanted: (Wanted & { readonly factors: readonly Factor[] }) | null
}

/** What the server has put behind `#`; null: nothing (docs/rules/people.md 11). */
export function readArrival(hash: string): Arrival | null {
  const said = new URLSearchParams(hash.replace(/^#/, ''))
  const [provider, ticket, link] = [said.get('provider'), said.get('ticket'), said.get('link')]
  if (provider === null || (ticket === null && link === null)) return null
  const factors = (said.get('factors') ?? '').split(',')
  return {
    provider,
    link: link ?? undefined,
    wanted: ticket === null ? null : readWanted({ ticket, factors }),
  }
}
