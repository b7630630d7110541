import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import { LiveUnavailable } from '../../../engines/live/port.ts'
import { isDatabaseDown } from '../../../engines/db/postgres.ts'
import { isPrivateAddress } from '../../../lib/addresses.ts'
import { openBody } from '../../../http/upload-timeouts.ts'
import { carry } from '../carry/carry.service.ts'
import { type TunnelAnswer, TunnelFailed, type TunnelTrouble } from '../wire/port.ts'
import { addUsage } from '../grants/usage.service.ts'
import { cookiesForBrowser, cookiesForPrinter } from '../origins/cookies.rules.ts'
import {
  headersForBrowser,
  headersForPrinter,
  locationFor,
  ownPolicy,
  wallHeaders,
} from '../origins/headers.rules.ts'
import { isOtherSite } from '../origins/pass.rules.ts'
import { ENTRANCE, redeem } from '../origins/pass.service.ts'
import { manifestWithCookies } from '../origins/manifest.ts'
import { classOf, isFront, packingsOf } from '../origins/requests.rules.ts'
import { isSpecial, special } from '../origins/special.service.ts'
import { type WebcamAsk, webcamAsked, oneStill, showStills } from './stills.service.ts'
import { statusOf, tell, type Trouble } from './trouble.pages.ts'
import { checkCap, checkShape, type Guest, letIn, Refused } from './visit.ts'
import { takePlace, tunnelAt, type Visit, whenSentAway } from './visit.ts'

/** A whole upload may take so long; a minute without any of it ends it sooner. */
const UPLOAD_MS = 3_600_000
/** A reader who takes nothing for so long has gone. */
const STALL_MS = 60_000
const LARGEST_PAGE = 1_048_576

/** Answers a request on a tunnel's origin, whatever it is and whoever sent it. */
export async function answerRequest(visit: Visit, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort(new Error('the browser has gone')))
  response.on('error', () => undefined)
  try {
    checkShape(visit)
    const tunnel = await tunnelAt(visit)
    if (visit.path.toLowerCase().startsWith(ENTRANCE)) return await enter(visit, tunnel, response)
    await serve(visit, await letIn(visit, tunnel, false), response, gone)
  } catch (error) {
    if (response.destroyed || response.headersSent) return void response.destroy()
    answerTrouble(visit, response, error)
  }
}

type Tunnel = Guest['tunnel']

async function enter(visit: Visit, tunnel: Tunnel, response: ServerResponse): Promise<void> {
  const { ctx, place, path } = visit
  const ticket = new URL(path, place.origin).searchParams.get('ticket') ?? ''
  const line = tunnel.kind === 'internal' ? await redeem(ctx, { tunnel, place, ticket }) : null
  if (line === null) throw new Refused('signIn', { tunnel })
  response.writeHead(302, {
    ...wallHeaders([place.app]),
    'set-cookie': line,
    location: '/',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-length': 0,
  })
  response.end()
}

/** Who may frame a page of this guest. */
const appsOf = ({ place }: Visit, pass: Guest['pass']): string[] => [pass?.app ?? new URL(place.app).origin]

async function serve(
  visit: Visit,
  guest: Guest,
  response: ServerResponse,
  gone: AbortController,
): Promise<void> {
  const { ctx, request, path } = visit
  const leave = takePlace('requests', guest.tunnel)
  const stay = whenSentAway(ctx, guest, () => {
    gone.abort(new Refused('signIn', { tunnel: guest.tunnel }))
    if (response.headersSent) response.destroy()
  })
  try {
    const wall = wallHeaders(appsOf(visit, guest.pass))
    if (isSpecial(path)) {
      const app = guest.pass === null ? visit.place.app : appOf(visit, guest.pass.app)
      const answer = await special(ctx, guest.tunnel, { path, app, signal: gone.signal })
      if (answer === null) throw new Refused('missing')
      const headers = { ...wall, 'content-type': 'application/json', 'cache-control': 'no-store' }
      return void response.writeHead(200, headers).end(JSON.stringify(answer))
    }
    await checkCap(ctx, guest.tunnel)
    const webcam = request.method === 'GET' ? webcamAsked(path) : null
    if (webcam !== null) return await showWebcam(visit, guest, response, { webcam, gone: gone.signal })
    await forward(visit, guest, response, gone.signal)
  } finally {
    stay()
    leave()
  }
}

/** Pictures, one or more; they end with the server, too, as nothing else would end them. */
async function showWebcam(
  visit: Visit,
  { tunnel, pass }: Guest,
  response: ServerResponse,
  { webcam, gone }: { webcam: WebcamAsk; gone: AbortSignal },
): Promise<void> {
  const { ctx, app } = visit
  const wall = wallHeaders(appsOf(visit, pass))
  const signal = AbortSignal.any([gone, app.closing])
  if (webcam === 'stream') return await showStills(ctx, tunnel, response, { headers: wall, signal })
  const jpeg = await oneStill(ctx, tunnel, signal)
  if (jpeg === null) throw new Refused('missing')
  const headers = { ...wall, 'content-type': 'image/jpeg', 'cache-control': 'no-store' }
  response.writeHead(200, headers).end(jpeg)
}

/** The app with its prefix, where it is the one that we would name ourselves. */
const appOf = ({ place }: Visit, origin: string) =>
  new URL(place.app).origin === origin ? place.app : origin

/** The body of a request: how long it says it is. Raises `Refused` where it does not say. */
function lengthOf({ request: { headers } }: Visit): number {
  if (headers['transfer-encoding'] !== undefined) throw new Refused('length')
  return Number(headers['content-length'] ?? 0)
}

async function forward(
  visit: Visit,
  guest: Guest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { app, ctx, request, path } = visit
  const { tunnel, authorization } = guest
  // It would answer in our place, also where a ticket is redeemed, and stay when the port is another printer's.
  if (request.headers['service-worker'] !== undefined) throw new Refused('missing')
  const length = lengthOf(visit)
  const cookie = cookiesForPrinter(request.headers.cookie, tunnel)
  const { packings, takesDeflate } = packingsOf(request.headers['accept-encoding'])
  const upload = length > 0 ? openBody({ raw: request, server: app }, UPLOAD_MS) : null
  upload?.cut.addEventListener('abort', () => response.destroy())
  try {
    const answer = await carry(
      ctx,
      tunnel.printerId,
      {
        method: request.method ?? 'GET',
        path,
        headers: {
          ...headersForPrinter(request.headers, visit.place.origin),
          ...(cookie === null ? {} : { cookie }),
          ...(authorization === null ? {} : { authorization }),
        },
        ...(upload === null ? {} : { body: upload.body, length }),
        signal,
        class: classOf(path, length),
        packings,
        takesDeflate: takesDeflate && !isFront(path),
      },
      (bytes) => addUsage(ctx, tunnel.userId, bytes),
    )
    await pass(visit, guest, response, answer)
  } finally {
    upload?.release()
  }
}

const EMPTY = new Set([204, 205, 304])

async function pass(
  visit: Visit,
  guest: Guest,
  response: ServerResponse,
  answer: TunnelAnswer,
): Promise<void> {
  const { place, request, path } = visit
  const { status } = answer
  if (status < 200 || status > 599) throw new TunnelFailed('agent')
  const isSecure = place.origin.startsWith('https:')
  const { port } = new URL(place.origin)
  const headers = headersForBrowser(answer.headers, {
    apps: appsOf(visit, guest.pass),
    isApp: guest.pass === null,
  })
  if (typeof headers['location'] === 'string') {
    const to = locationFor(headers['location'], new URL(path, place.origin).href, isHome)
    if (to === null) throw new Refused('elsewhere', { tunnel: guest.tunnel })
    headers['location'] = to
  }
  const cookies = cookiesForBrowser(answer.cookies, {
    code: guest.tunnel.code,
    isShared: place.way === 'port',
    isSecure,
    isFrameOnly: guest.pass !== null && isOtherSite(guest.pass.app, place.origin),
    port: Number(port) || (isSecure ? 443 : 80),
  })
  if (cookies.length > 0) headers['set-cookie'] = cookies
  if (answer.packing !== undefined) {
    headers['content-encoding'] = answer.packing
    // The same file, in other bytes.
    if (headers['etag'] !== undefined) headers['etag'] = weak(String(headers['etag']))
  }
  if (request.method === 'HEAD' || EMPTY.has(status)) return void response.writeHead(status, headers).end()
  const isPage = isFront(path) && /^text\/html/i.test(answer.headers['content-type'] ?? '')
  if (isPage && (answer.length ?? Infinity) <= LARGEST_PAGE) {
    const page = await manifestWithCookies(Buffer.concat(await all(answer.body)))
    return void response.writeHead(status, { ...headers, 'content-length': page.length }).end(page)
  }
  if (answer.length !== undefined) headers['content-length'] = String(answer.length)
  response.writeHead(status, headers)
  await write(response, answer.body)
}

const weak = (etag: string) => (etag.startsWith('W/') ? etag : `W/${etag}`)

/** How a printer is called at home. */
const isHome = (host: string) =>
  host === 'localhost' || host.endsWith('.local') || isPrivateAddress(host.replace(/^\[|\]$/g, ''))

async function all(body: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return parts
}

/** Writes a body as fast as it is read, and no faster. */
async function write(response: ServerResponse, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const part of body) {
    if (response.destroyed) return
    if (!response.write(part)) await once(response, 'drain', { signal: AbortSignal.timeout(STALL_MS) })
  }
  response.end()
}

const FAILED: Readonly<Record<TunnelTrouble, Trouble>> = {
  offline: 'offline',
  old: 'old',
  timeout: 'timeout',
  agent: 'agent',
  busy: 'busy',
  tooLarge: 'large',
  lengthRequired: 'length',
  lost: 'lost',
}

/** What is told when a request or a websocket is not served. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Refused) return error.trouble
  if (error instanceof TunnelFailed) return FAILED[error.why]
  return isDatabaseDown(error) || error instanceof LiveUnavailable ? 'away' : 'agent'
}

function answerTrouble(visit: Visit, response: ServerResponse, error: unknown): void {
  const { ctx, request, place } = visit
  const told = troubleOf(error)
  // Agents go with us: it is us who are away.
  const isAway = visit.app.closing.aborted && (told === 'lost' || told === 'offline')
  const trouble = isAway ? 'away' : told
  const isKnown = error instanceof Refused || error instanceof TunnelFailed || trouble === 'away'
  if (!isKnown) ctx.log.error({ err: error }, 'a tunnel failed')
  const tunnel = error instanceof Refused ? error.tunnel : null
  const { headers: asked } = request
  const host = new URL(place.origin).host
  const opener = tunnel?.kind === 'internal' ? `${place.app}/tunnels/${tunnel.printerId}/` : null
  // A ticket is good once: with another pass the page itself is.
  const again = visit.path.toLowerCase().startsWith(ENTRANCE) ? '/' : null
  const { status, headers, body } = tell(ctx, trouble, { headers: asked, host, opener, again })
  const challenge = error instanceof Refused && error.asks ? challengeOf(place.name) : {}
  // A sender in the middle of its body sees an answer only if it may finish.
  request.resume()
  response.writeHead(status, {
    ...wallHeaders([]),
    'content-security-policy': ownPolicy(appsOf(visit, null)),
    ...headers,
    ...challenge,
    'content-length': Buffer.byteLength(body),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

const challengeOf = (name: string) => ({
  'www-authenticate': `Basic realm="tunnel ${name}", charset="UTF-8"`,
})

/** The head of a refused handshake. */
export function refusalOf(visit: Visit, error: unknown): string {
  const trouble = troubleOf(error)
  const challenge = error instanceof Refused && error.asks ? challengeOf(visit.place.name) : {}
  const lines = Object.entries({ ...challenge, connection: 'close', 'content-length': 0 })
  const head = `HTTP/1.1 ${statusOf(trouble)} ${trouble}`
  return [head, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
}
