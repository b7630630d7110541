import { readFileSync } from 'node:fs'

/** What signs an app in at Apple: no secret, but a key by which one is made for each call. */
export interface AppleKey {
  readonly teamId: string
  readonly keyId: string
  readonly pem: string
}

/** Somebody else's server that signs people in, by OpenID Connect (docs/rules/people.md 11). */
export interface Provider {
  /** Stands in the addresses of its pages. */
  readonly id: 'oidc' | 'google' | 'apple'
  readonly name: string
  /** A picture of 16 KB at most, as `data:`; null: it has none, or pages know it. */
  readonly logo: string | null
  readonly issuer: string
  readonly clientId: string
  readonly secret: string | AppleKey
}

/** The settings that name them. */
interface Settings {
  readonly OIDC_ISSUER?: string | undefined
  readonly OIDC_CLIENT_ID?: string | undefined
  readonly OIDC_CLIENT_SECRET?: string | undefined
  readonly OIDC_NAME: string
  readonly OIDC_LOGO?: string | undefined
  readonly GOOGLE_CLIENT_ID?: string | undefined
  readonly GOOGLE_CLIENT_SECRET?: string | undefined
  readonly APPLE_CLIENT_ID?: string | undefined
  readonly APPLE_TEAM_ID?: string | undefined
  readonly APPLE_KEY_ID?: string | undefined
  readonly APPLE_KEY_FILE?: string | undefined
}

/** Whether tokens may be asked for here: over TLS, or from this very machine. */
export function isSafeIssuer(issuer: string): boolean {
  const url = URL.parse(issuer)
  if (url === null || url.search + url.hash + url.username !== '') return false
  return (
    url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname))
  )
}

const MOST_LOGO = 16_384
const LOGOS: Readonly<Record<string, string>> = { svg: 'image/svg+xml', png: 'image/png', webp: 'image/webp' }

/** All of them, or none: settings that belong together. Raises an error that names what is missing. */
function together<K extends keyof Settings>(
  settings: Settings,
  names: readonly K[],
): ((name: K) => string) | null {
  const given = names.filter((name) => settings[name] !== undefined)
  if (given.length === 0) return null
  const missing = names.filter((name) => !given.includes(name))
  if (missing.length > 0)
    throw new Error(
      `${given.join(', ')} ${given.length > 1 ? 'need' : 'needs'} ${missing.join(', ')} beside it`,
    )
  return (name) => settings[name] ?? ''
}

function readLogo(path: string): string {
  const type = LOGOS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
  const picture = readFileSync(path)
  if (type === undefined || picture.length > MOST_LOGO)
    throw new Error('OIDC_LOGO must be an svg, png or webp of 16 KB at most')
  return `data:${type};base64,${picture.toString('base64')}`
}

/** Who signs people in here; in the order of their buttons. Raises an error whose message names the setting. */
export function readProviders(settings: Settings): readonly Provider[] {
  const own = together(settings, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])
  const google = together(settings, ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'])
  const apple = together(settings, ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_KEY_FILE'])
  const found: Provider[] = []
  if (own)
    found.push({
      id: 'oidc',
      name: settings.OIDC_NAME,
      logo: settings.OIDC_LOGO === undefined ? null : readLogo(settings.OIDC_LOGO),
      issuer: own('OIDC_ISSUER'),
      clientId: own('OIDC_CLIENT_ID'),
      secret: own('OIDC_CLIENT_SECRET'),
    })
  if (google)
    found.push({
      id: 'google',
      name: 'Google',
      logo: null,
      issuer: 'https://accounts.google.com',
      clientId: google('GOOGLE_CLIENT_ID'),
      secret: google('GOOGLE_CLIENT_SECRET'),
    })
  if (apple)
    found.push({
      id: 'apple',
      name: 'Apple',
      logo: null,
      issuer: 'https://appleid.apple.com',
      clientId: apple('APPLE_CLIENT_ID'),
      secret: {
        teamId: apple('APPLE_TEAM_ID'),
        keyId: apple('APPLE_KEY_ID'),
        pem: readFileSync(apple('APPLE_KEY_FILE'), 'utf8'),
      },
    })
  return found
}
