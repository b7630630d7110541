import { type Caller, KEY_SCOPES, type KeyScope } from '@vigil/contract/endpoint.ts'
import type { Id, PrinterId, UserId } from '../lib/id.ts'
import { clientOf } from '../lib/addresses.ts'
import type { Edge } from './edge.ts'

/** A signed-in person, by browser session or by token. */
export interface UserPrincipal {
  readonly kind: 'user'
  readonly via: 'session' | 'oauth' | 'key'
  readonly userId: UserId
  readonly language: 'en' | 'zh'
  /** The brand whose accounts theirs is one of; absent where nobody looks. */
  readonly brand?: string
  /** Set for a browser session: its row, so that sign-out ends just this one. */
  readonly sessionId: Id<'sessions'> | null
  /** Set while an administrator acts as this person: who that is (docs/rules/people.md 17). */
  readonly staffId?: UserId
  /** Set for an API key that is for more than slicers: how far it reaches. */
  readonly key?: KeyReach
}

/** What somebody's API key may do at most, and on which of their printers; null: on any. */
export interface KeyReach {
  /** The row of its token. */
  readonly tokenId: Id<'accessTokens'>
  readonly scope: KeyScope
  readonly printerIds: readonly PrinterId[] | null
}

/** Acts in the name of an owner who is not calling: an agent hands in their code, a viewer opens their link. */
export const inNameOf = ({ userId }: { readonly userId: UserId }): UserPrincipal => ({
  kind: 'user',
  via: 'session',
  userId,
  language: 'en',
  sessionId: null,
})

/** A slicer, by a token that its user has given it or by an API key: may bring files, and have them printed. */
export interface SlicerPrincipal {
  readonly kind: 'slicer'
  readonly userId: UserId
  readonly language: 'en' | 'zh'
  /** The row of its token. */
  readonly tokenId: Id<'accessTokens'>
  /** A key that its user made for it, which may have files printed; or a token that it was given on the page that asks. */
  readonly via: 'key' | 'app'
  /** The program, or what its user calls the key. */
  readonly application: string
  /** The one printer that it is for; null: any of its user's. */
  readonly printerId: PrinterId | null
}

/** An agent, by the token of its printer. Archived and deleted printers have none. */
export interface PrinterPrincipal {
  readonly kind: 'printer'
  readonly printerId: PrinterId
  readonly userId: UserId
}

/** An app, by the password of a tunnel to one printer's page: looks at that printer's cameras, and nothing else of ours. */
export interface TunnelPrincipal {
  readonly kind: 'tunnel'
  readonly tunnelId: Id<'tunnels'>
  readonly printerId: PrinterId
  /** Owns the printer. */
  readonly userId: UserId
}

/** Holder of a share link; sees what a viewer may see (a later issue opens it). */
export interface SharePrincipal {
  readonly kind: 'share'
  readonly printerId: PrinterId
}

export interface Anonymous {
  readonly kind: 'anonymous'
}

/** Who is calling. What they are to a printer is asked where printers are read (docs/decisions/0020). */
export type Principal =
  | UserPrincipal
  | SlicerPrincipal
  | PrinterPrincipal
  | TunnelPrincipal
  | SharePrincipal
  | Anonymous

/** Who a route or socket lets in. */
export type Door = Caller | 'share' | 'tunnel'

type KindOf<D extends Door> = D extends 'printer' | 'share' | 'slicer' | 'tunnel'
  ? D
  : D extends 'assistant'
    ? 'slicer'
    : 'user'

/** Who can stand behind a door that lets these in. */
export type PrincipalOf<D extends Door> = 'anyone' extends D
  ? Principal
  : Extract<Principal, { kind: KindOf<D> }>

/** The slicer that shows our assistant, let in by its person: no key that somebody calls so, and no token for one printer. */
const isOurs = ({ via, application, printerId }: SlicerPrincipal) =>
  via === 'app' && application === 'JusPrin' && printerId === null

/** The caller's words in an endpoint's list of callers: a key that reaches far does what one that reaches less far does. */
function doorsOf(principal: Principal): readonly Door[] {
  if (principal.kind === 'anonymous') return ['anyone']
  if (principal.kind === 'slicer' && isOurs(principal)) return ['slicer', 'assistant']
  if (principal.kind !== 'user') return [principal.kind]
  const { via, key } = principal
  if (via !== 'key') return [via]
  return KEY_SCOPES.slice(0, key ? KEY_SCOPES.indexOf(key.scope) + 1 : 0).map(
    (scope) => `key:${scope}` as const,
  )
}

/** Whether a list of callers names this one. */
export const isLetIn = (principal: Principal, callers: readonly Door[]): boolean =>
  callers.includes('anyone') || doorsOf(principal).some((door) => callers.includes(door))

/** One word for all that one caller does: the account, or who has none by address. */
export function callerKey(principal: Principal, { address }: Edge): string {
  return 'userId' in principal ? `user:${principal.userId}` : clientOf(address)
}
