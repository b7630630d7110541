import type { IncomingHttpHeaders } from 'node:http'

/** Of one connection; the agent's own request has its own. */
const HOP = [
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
/** Says who asks, from where, and through whom: the printer's page is asked by its agent. */
const TELLING = [
  'content-length',
  'host',
  'origin',
  'referer',
  'accept-encoding',
  'authorization',
  'cookie',
  'forwarded',
  'via',
  'true-client-ip',
  'x-real-ip',
  'x-obico-syndicate',
  'x-csrftoken',
]
const DROPPED = new Set([...HOP, ...TELLING])
const DROPPED_KINDS = /^(x-forwarded-|proxy-|cf-|sec-|x-tsd-)/

/**
 * The headers of a browser as the printer's page is to see them, without cookies and credentials (docs/wire/remote.md 4). With the origin that
 * the browser shows: OctoPrint makes whole addresses of its files, which else would be those at home.
 */
export function headersForPrinter(headers: IncomingHttpHeaders, origin: string): Record<string, string> {
  const { host, protocol } = new URL(origin)
  const listed = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const passed = Object.entries(headers).flatMap(([name, value]) => {
    const isDropped = DROPPED.has(name) || DROPPED_KINDS.test(name) || listed.has(name)
    if (isDropped || typeof value !== 'string') return []
    return [[name, name === 'if-none-match' ? withStrong(value) : value] as const]
  })
  const seen = { 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) }
  return { ...Object.fromEntries(passed), ...seen }
}

/** A packed answer's tag was made weak, and OctoPrint knows only its own: weak ones are asked for as strong, too. */
const withStrong = (tags: string) => tags.replaceAll(/W\/("[^"]{1,300}")/g, '$&, $1')

/**
 * What a printer's page does not decide: how it is framed, what other origins may do with it, and what browsers remember of
 * the whole host, which is ours too where ports tell tunnels apart.
 */
const REFUSED = new Set([
  'alt-svc',
  'cdn-cache-control',
  'clear-site-data',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'expect-ct',
  'keep-alive',
  'nel',
  'origin-agent-cluster',
  'origin-trial',
  'public-key-pins',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'set-login',
  'strict-transport-security',
  'surrogate-control',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'www-authenticate',
  'x-content-type-options',
  'x-frame-options',
  'x-accel-redirect',
  'x-sendfile',
])
const REFUSED_KINDS = /^(access-control-|proxy-|sec-session-|secure-session-|x-accel-)/

/** What a page may not do, framed or not: lead the window around it away, or take part in ours. */
const SANDBOX =
  'sandbox allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox ' +
  'allow-downloads allow-modals allow-pointer-lock allow-orientation-lock allow-presentation'

/** Headers of every answer on a tunnel's origin, ours and the printer's. `apps`: who may frame it. */
export function wallHeaders(apps: readonly string[]): Record<string, string> {
  return {
    'content-security-policy': `frame-ancestors 'self' ${apps.join(' ')}; ${SANDBOX}`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-content-type-options': 'nosniff',
  }
}

/** The policy of a page of ours on a tunnel's origin: it runs nothing, and may lead the window back to the app. */
export const ownPolicy = (apps: readonly string[]): string =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self' ${apps.join(' ')}`

interface Reader {
  /** Apps that may show the page in a frame: origins. */
  readonly apps: readonly string[]
  /** Whether the tunnel is one of an app, which has given its own credential: the printer's challenge would be taken for ours. */
  readonly isApp: boolean
}

/**
 * The headers of a printer's page as the browser gets them, beside those of the wall. Names are in lower case, values were
 * checked (docs/wire/remote.md 5).
 */
export function headersForBrowser(
  headers: Readonly<Record<string, string>>,
  { apps, isApp }: Reader,
): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'www-authenticate' && !isApp) kept[name] = value
    if (!REFUSED.has(name) && !REFUSED_KINDS.test(name)) kept[name] = value
  }
  if (headers['etag'] !== undefined) kept['etag'] = quoted(headers['etag'])
  kept['cache-control'] = privately(headers['cache-control'])
  kept['referrer-policy'] ??= 'same-origin'
  const wall = wallHeaders(apps)
  const own = withoutFraming(headers['content-security-policy'])
  const policy = [wall['content-security-policy'] ?? '', ...(own === '' ? [] : [own])]
  return { ...kept, ...wall, 'content-security-policy': policy }
}

/** `abc` as `"abc"`: some printers leave the quotes out. */
const quoted = (etag: string) => (/^(W\/)?"[^"]*"$/.test(etag) ? etag : `"${etag.replaceAll('"', '')}"`)

/** No cache between us and the browser keeps what was asked for with a credential. */
function privately(given: string | undefined): string {
  const left = (given ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !/^(public|s-maxage=.*|private(=.*)?)$/i.test(one))
  return ['private', ...left].join(', ')
}

/** A printer's own policy counts beside ours, except for who may frame it. */
function withoutFraming(policy: string | undefined): string {
  return (policy ?? '')
    .split(',')
    .map((one) =>
      one
        .split(';')
        .map((directive) => directive.trim())
        .filter(
          (directive) =>
            directive !== '' && !/^(frame-ancestors|sandbox|report-uri|report-to)\b/i.test(directive),
        )
        .join('; '),
    )
    .filter((one) => one !== '')
    .join(', ')
}

/**
 * Where a redirect of the printer's page leads: within the tunnel, also when it names the printer as it is called at home
 * (an address of the house, `localhost`, `*.local`). Null: to somebody else, which is not followed.
 */
export function locationFor(location: string, own: string, isHome: (host: string) => boolean): string | null {
  const base = new URL(own)
  if (!URL.canParse(location, own)) return null
  const to = new URL(location, own)
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return null
  if (to.host !== base.host && !isHome(to.hostname)) return null
  // Never `//host`: a browser would read a host of it.
  return to.pathname.replace(/^\/+/, '/') + to.search + to.hash
}
