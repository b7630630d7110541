import { isOurCookie } from '../../../lib/cookies.ts'

/** As ours, and those of the server before us, were called once: browsers have them still. */
const ONCE_OURS =
  /^(__host-|__secure-)?(vigil_|known_browser$|csrftoken$|sessionid$|syndicate_header$|django_language$)/i
/** A printer's page neither sets nor sees one. */
const isOurs = (name: string) => isOurCookie(name) || ONCE_OURS.test(name)
/** What cookies of printers are kept as where ports share one jar: `t.{code}.{name}`. */
const APART = /^t\.([0-9a-f]{16})\./
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Of a cookie in a frame of another site: sent in this frame, within this page around it, and nowhere else. */
export const FRAME_ONLY = 'SameSite=None; Secure; Partitioned'
const LASTS_SECONDS = 7_776_000
const MAX_COOKIES = 60

/** Where a tunnel's cookies live. */
export interface Jar {
  readonly code: string
  /** Tunnels of this host are told apart by ports, which share cookies. */
  readonly isShared: boolean
  readonly isSecure: boolean
  /** The page around the frame is of another site. */
  readonly isFrameOnly: boolean
  /** The port that the browser shows: OctoPrint has it in the names of its cookies. */
  readonly port: number
}

/** The pairs of a `Cookie` header, in their order. */
export function pairsOf(header: string | undefined): [name: string, value: string][] {
  return (header ?? '').split(';').flatMap((part): [string, string][] => {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(0, at)).trim()
    return name === '' ? [] : [[name, part.slice(at + 1).trim()]]
  })
}

/**
 * The cookies that the printer's page is to see: none of ours, and none of another printer's. Returns null when none is left
 * (docs/wire/remote.md 4).
 */
export function cookiesForPrinter(header: string | undefined, { code }: Pick<Jar, 'code'>): string | null {
  const left = pairsOf(header).flatMap(([name, value]) => {
    const [mark, owner] = APART.exec(name) ?? ['']
    const bare = name.slice(mark.length)
    return isOurs(name) || isOurs(bare) || (owner !== undefined && owner !== code) ? [] : [`${bare}=${value}`]
  })
  return left.length === 0 ? null : left.join('; ')
}

/**
 * A printer's `Set-Cookie` lines as the browser gets them: of this host alone, never by a name of ours, secure where the way is,
 * lasting 90 days unless it says how long. `name_P5000`, as OctoPrint names them by its port, comes with the browser's port too.
 */
export function cookiesForBrowser(lines: readonly string[], jar: Jar): string[] {
  return lines.slice(0, MAX_COOKIES).flatMap((line) => {
    const [pair = '', ...given] = line.split(';')
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, at)).trim()
    if (!NAME.test(name) || isOurs(name) || APART.test(name)) return []
    const attributes = given
      .map((one) => one.trim())
      .filter((one) => one !== '' && !isRefused(one) && !(jar.isFrameOnly && /^samesite=/i.test(one)))
    const says = (word: RegExp) => attributes.some((one) => word.test(one))
    if (jar.isFrameOnly) attributes.push(FRAME_ONLY)
    else if (jar.isSecure) attributes.push('Secure')
    if (!says(/^(expires|max-age)=/i)) attributes.push(`Max-Age=${LASTS_SECONDS}`)
    const isHidden = says(/^httponly$/i)
    return namesOf(name, jar.port).map((one) => {
      const kept = jar.isShared && isHidden ? `t.${jar.code}.${one}` : one
      return [`${kept}=${pair.slice(at + 1).trim()}`, ...attributes].join('; ')
    })
  })
}

/** Host-only, and on its own place: what `SameSite=None` needs is not always there, so the browser's own way is taken. */
const isRefused = (attribute: string) =>
  /^(domain|secure|partitioned)(=|$)/i.test(attribute) || /^samesite=none$/i.test(attribute)

function namesOf(name: string, port: number): string[] {
  const seen = name.replace(/^(\w+_P)\d+$/, `$1${port}`)
  return seen === name ? [name] : [name, seen]
}
