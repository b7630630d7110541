/** Where somebody is led when they have let an app in. */
export interface Target {
  /** As it was asked for, or our own page. */
  readonly address: string
  /** Ours, another site, or an app on this device. */
  readonly kind: 'own' | 'site' | 'app'
  /** What is shown of it: the host, or the app's scheme. */
  readonly name: string
}

/** Schemes that would run something in this page, show what is not a place, or read this device. */
const REFUSED =
  /^(javascript|data|vbscript|blob|file|filesystem|about|view-source|intent|chrome|edge|ws|wss|ftp):$/
const MOST = 2_000

/**
 * What was asked for as `success_redirect_url`: a path of ours, another site, or an app's own scheme; `own` when nothing was.
 * Null for what nobody may be led to (docs/wire/remote.md).
 */
export function targetOf(wanted: string | undefined, own: string): Target | null {
  const mine = (address: string): Target => ({ address, kind: 'own', name: new URL(own).host })
  if (wanted === undefined || wanted === '') return mine(own)
  // Browsers drop line breaks and tabs of an address: what is looked at here is what is gone to.
  if (wanted.length > MOST || /[\s\p{Cc}\\]/u.test(wanted)) return null
  if (/^\/(?!\/)/.test(wanted)) return mine(new URL(wanted, own).href)
  if (!URL.canParse(wanted)) return null
  const { protocol, host, origin, username, password } = new URL(wanted)
  if (REFUSED.test(protocol) || username + password !== '') return null
  if (protocol !== 'https:' && protocol !== 'http:')
    return { address: wanted, kind: 'app', name: protocol.slice(0, -1) }
  return origin === new URL(own).origin ? mine(wanted) : { address: wanted, kind: 'site', name: host }
}

/** The target with the endpoint as apps look for it: after `?`, as it is, whatever the target has. */
export const withEndpoint = ({ address }: Target, endpoint: string): string =>
  `${address}?tunnel_endpoint=${endpoint}`
