import { request as askHttp, type IncomingMessage } from 'node:http'
import { request as askHttps } from 'node:https'
import { hostname } from 'node:os'
import type { Config } from '../../config.ts'
import { reasonOf } from '../../failures.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'
import { localAddress, runningPid } from './network.ts'

const PATIENCE_MS = 5_000
const DOCS = '(docs/self-hosting.md, Tunnels)'
/** A tunnel that nobody has: whoever answers for it is our door. */
const NOBODYS = '0000000000000000'

interface Way {
  /** As an operator calls it. */
  readonly name: string
  /** What is asked for. */
  readonly url: string
  /** Where it is asked, when the name is not to be looked up. */
  readonly at?: string
  /** What our door calls the tunnel. */
  readonly tunnel: string
}

/** Each way to printers' own pages that is set up is tried: a request to a tunnel that nobody has, which our door must refuse. */
export async function checkTunnels(config: Config): Promise<Finding> {
  if (runningPid(config) === null)
    return doubtful('Not tried: the server does not run.', 'Start it with ./vigil up')
  const ways = waysOf(config)
  const found = await Promise.all(ways.map(async (way) => ({ ...way, why: await whyNot(way) })))
  const bad = found.find(({ why }) => why !== null)
  const good = [...new Set(found.flatMap(({ name, why }) => (why === null ? [name] : [])))]
  if (bad !== undefined) {
    const others = good.length === 0 ? '' : ` Others work: ${good.join(', ')}.`
    return broken(
      `Printers' pages are not reached by ${bad.name}, at ${bad.url}: ${bad.why}.${others}`,
      adviceFor(bad, config),
    )
  }
  const { PUBLIC_URL, TUNNEL_DOMAIN, hasUsualTunnelPorts } = config
  if (PUBLIC_URL?.startsWith('https:') && TUNNEL_DOMAIN === undefined && hasUsualTunnelPorts) {
    const advice = `Set TUNNEL_DOMAIN, or name OCTOPRINT_TUNNEL_PORT_RANGE and lead it here ${DOCS}.`
    return doubtful(
      `Printers' pages are reached at home, by ${good.join(', ')}, but not at ${PUBLIC_URL}.`,
      advice,
    )
  }
  return fine(`Printers' pages are reached by ${good.join(', ')}.`)
}

function waysOf(config: Config): Way[] {
  const { PORT, PUBLIC_URL, TUNNEL_DOMAIN, TUNNEL_LOCAL_NAMES, OCTOPRINT_TUNNEL_PORT_RANGE: range } = config
  const local = new URL(localAddress(config))
  const ways: Way[] = []
  if (TUNNEL_DOMAIN !== undefined) {
    const { protocol, port } = new URL(PUBLIC_URL ?? `http://${TUNNEL_DOMAIN}:${PORT}`)
    const host = `${NOBODYS}.tunnels.${TUNNEL_DOMAIN}${port && `:${port}`}`
    ways.push({ name: `sub-domains of ${TUNNEL_DOMAIN}`, url: `${protocol}//${host}/`, tunnel: NOBODYS })
  }
  if (range !== undefined) {
    const name = `ports ${range.first} to ${range.last}`
    const outer = config.hasUsualTunnelPorts || PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL)
    for (const port of [range.first, range.last]) {
      const tunnel = String(port)
      ways.push({ name, url: `http://${local.hostname}:${port}/`, tunnel })
      if (outer !== null) ways.push({ name, url: `${outer.protocol}//${outer.hostname}:${port}/`, tunnel })
    }
  }
  const named = (name: string, at?: string): Way => ({
    name: `names below ${name}`,
    url: `http://${NOBODYS}.${name}:${PORT}/`,
    tunnel: NOBODYS,
    ...(at === undefined ? {} : { at }),
  })
  // Browsers know by themselves where these are.
  if (TUNNEL_DOMAIN === undefined) ways.push(named('localhost', local.hostname.replace(/^\[|\]$/g, '')))
  if (TUNNEL_LOCAL_NAMES) ways.push(named(`${hostname().split('.', 1)[0]?.toLowerCase()}.local`))
  return ways
}

/** Null when our door answers; otherwise what came instead. */
async function whyNot({ url, at, tunnel }: Way): Promise<string | null> {
  try {
    const { statusCode = 0, headers } = await ask(new URL(url), at)
    const challenge = headers['www-authenticate'] ?? ''
    return challenge.includes(`"tunnel ${tunnel}"`)
      ? null
      : `something else answers there, with ${statusCode}`
  } catch (error) {
    return reasonOf(error)
  }
}

/** The head of an answer; `at` is where the server is, whatever the name says. */
function ask(url: URL, at = url.hostname.replace(/^\[|\]$/g, '')): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const port = Number(url.port) || (isSecure ? 443 : 80)
    const options = { host: at, port, path: '/', headers: { host: url.host, connection: 'close' } }
    const request = isSecure ? askHttps({ ...options, servername: url.hostname }) : askHttp(options)
    request.setTimeout(PATIENCE_MS, () => request.destroy(new Error('nothing within 5 s')))
    request.once('error', reject).once('response', (response) => {
      response.resume()
      resolve(response)
    })
    request.end()
  })
}

function adviceFor({ name, url }: Way, { hasUsualTunnelPorts }: Config): string {
  if (name.startsWith('sub-domains'))
    return `DNS must lead *.tunnels. here, with a certificate, and the proxy must hand on Host ${DOCS}.`
  if (name.endsWith('.local')) return `The house's DNS must answer for ${new URL(url).hostname} ${DOCS}.`
  return hasUsualTunnelPorts
    ? `Another program has them, or was the server started with another PORT? Name others: OCTOPRINT_TUNNEL_PORT_RANGE ${DOCS}.`
    : `Open them, and have the proxy lead them here ${DOCS}.`
}
