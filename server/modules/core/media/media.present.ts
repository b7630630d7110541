import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { currentKey } from '../../../lib/keyring.ts'
import { signMedia } from '../../../lib/signing.ts'
import { expiryOf } from './media.rules.ts'
import { keptBy } from '../../../lib/of-server.ts'

/** Where a request came in, as its sender sees it. */
export interface MediaEdge {
  readonly origin: string
  readonly prefix: string
}

type Needs = Pick<Ctx, 'config' | 'clock'>

/** Signatures are asked for again and again: with every status of every printer. */
const SIGNATURES_KEPT = 10_000
const signaturesOf = keptBy<Needs['config'], LRUCache<string, string>>(
  () => new LRUCache({ max: SIGNATURES_KEPT }),
)

function signatureOf(config: Needs['config'], path: string, expiresAt: number): string {
  const kept = signaturesOf(config)
  const { number, secret } = currentKey(config)
  const key = `${number}/${expiresAt}/${path}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const digest = signMedia(secret, path, expiresAt)
  kept.set(key, digest)
  return digest
}

/**
 * The signed, absolute address of a stored file for whoever asks at `edge`. It already has a query. `version`
 * tells browsers apart what is stored under one path in turn, and lets them keep it.
 */
export function mediaUrl(ctx: Needs, ref: MediaRef, edge: MediaEdge, version?: number): string {
  const path = `${ref.container}/${ref.path}`
  const expires = expiryOf(ref.container, ctx.clock.now())
  const digest = signatureOf(ctx.config, path, expires)
  const ts = version === undefined ? '' : `&ts=${version}`
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return `${edge.origin}${edge.prefix}/media/${encoded}?digest=${digest}&expires=${expires}${ts}`
}

/** The same of a column that holds the place of a file, or null. */
export function columnUrl(ctx: Needs, column: MediaRef | null, edge: MediaEdge): string | null {
  return column === null ? null : mediaUrl(ctx, column, edge)
}
