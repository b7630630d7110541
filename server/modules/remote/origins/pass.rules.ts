import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type Id, idOf } from '../../../lib/id.ts'
import type { OurCookie } from '../../../lib/cookies.ts'
import { FRAME_ONLY, pairsOf } from './cookies.rules.ts'
import { isSame } from '../../../lib/signing.ts'

/** Who may pass at an internal tunnel: its owner, for as long as their session lasts. */
const passShape = z.object({
  tunnel: z.int(),
  user: z.int(),
  session: idOf<'sessions'>(),
  /** Milliseconds since 1970. */
  ends: z.number(),
  /** The app that shows it in a frame: `https://host:port`. */
  app: z.string(),
})
export type Pass = z.infer<typeof passShape>

const sign = (secret: string, text: string) =>
  createHmac('sha256', secret).update(`tunnel-pass\n${text}`).digest('base64url')

/** The pass as its cookie holds it. */
export function sealPass(secret: string, pass: Pass): string {
  const text = Buffer.from(JSON.stringify(pass)).toString('base64url')
  return `${text}.${sign(secret, text)}`
}

function openPass(secret: string, sealed: string): Pass | null {
  const [text = '', given = ''] = sealed.split('.')
  if (!isSame(given, sign(secret, text))) return null
  return passShape.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null
}

/** The cookie's name: of one tunnel, and where there is TLS of this very host, so that no neighbour can plant it. */
export const passCookie = (code: string, isSecure: boolean): OurCookie =>
  isSecure ? `__Host-tsd_tunnel_${code}` : `tsd_tunnel_${code}`

interface Wanted {
  readonly code: string
  readonly tunnelId: Id<'tunnels'>
  readonly isSecure: boolean
  readonly now: number
}

/** The pass for this tunnel among a request's cookies; null where none is good. */
export function passIn(
  secret: string,
  cookies: string | undefined,
  { code, tunnelId, isSecure, now }: Wanted,
): Pass | null {
  const name = passCookie(code, isSecure)
  const sealed = pairsOf(cookies).filter(([one]) => one === name)
  const passes = sealed.slice(0, 4).map(([, value]) => openPass(secret, value))
  return passes.find((pass) => pass?.tunnel === tunnelId && pass.ends > now) ?? null
}

/**
 * Whether a frame at `own` is of another site than the app around it: neither of the same host nor of a name below the app's.
 * There it needs cookies that are kept for that frame alone, which browsers give over TLS and on the machine itself.
 */
export function isOtherSite(app: string, own: string): boolean {
  const [host, outer] = [new URL(own).hostname, new URL(app).hostname]
  const isNear = host === outer || (host.endsWith(`.${outer}`) && outer !== 'localhost')
  return !isNear && (own.startsWith('https:') || host.endsWith('.localhost'))
}

/** The `Set-Cookie` line of a pass. */
export function passLine(name: string, sealed: string, { app, own }: { app: string; own: string }): string {
  const isSecure = own.startsWith('https:')
  const site = isOtherSite(app, own) ? FRAME_ONLY : `SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${name}=${sealed}; Path=/; HttpOnly; ${site}`
}

/** `Authorization` as its parts, which proxies join with commas. */
export function basicIn(
  header: string | undefined,
): { user: string; password: string; rest: string | null }[] {
  const parts = (header ?? '').split(',').map((part) => part.trim())
  return parts.flatMap((part, at) => {
    const [, coded] = /^basic\s+([A-Za-z0-9+/=_-]{1,1000})$/i.exec(part) ?? []
    if (coded === undefined) return []
    const text = Buffer.from(coded, 'base64').toString()
    const colon = text.indexOf(':')
    if (colon === -1) return []
    const rest = parts.filter((one, other) => other !== at && one !== '').join(', ')
    return [{ user: text.slice(0, colon), password: text.slice(colon + 1), rest: rest === '' ? null : rest }]
  })
}

interface Asking {
  readonly method: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Of the tunnel. */
  readonly own: string
  readonly isSocket: boolean
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a browser may have been sent by another page than the tunnel's own: its cookie or remembered password is no proof of
 * intent then. What only shows a page may come from anywhere, as frames are limited by the page's policy.
 */
export function isFromElsewhere({ method, headers, own, isSocket }: Asking, needsOrigin: boolean): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (typeof origin === 'string' && origin.toLowerCase() !== own) return true
  if (isSocket) return needsOrigin && origin === undefined
  const isShown = SAFE.has(method) && headers['sec-fetch-mode'] === 'navigate'
  return site !== undefined && site !== 'same-origin' && site !== 'none' && !isShown
}
