import proxyAddr from '@fastify/proxy-addr'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { reasonOf } from '../../failures.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'
import { runningPid } from './network.ts'
import { textOf } from '../../lib/thrown.ts'

const PATIENCE_MS = 5_000
const DOCS = '(docs/self-hosting.md, Reverse proxy)'
/** Addresses of nobody's proxy, here and there in the internet. */
const PUBLIC = ['1.1.1.1', '8.8.8.8', '93.184.215.14', '2606:4700::1111', '2a00:1450::200e']
/** What a stranger may claim in a header. */
const CLAIM = { host: 'stranger.invalid', prefix: '/stranger' }

const seenShape = z.object({
  caller: z.object({
    origin: z.string(),
    prefix: z.string(),
    address: z.string(),
    proxy: z.enum(['none', 'trusted', 'unknown']),
  }),
})
type Seen = z.infer<typeof seenShape>['caller']

/** The proxy before us is believed, nobody else is, and it hands on nothing that strangers claim. */
export async function checkProxy(config: Config): Promise<Finding> {
  const { PUBLIC_URL, TRUSTED_PROXIES } = config
  const list = `TRUSTED_PROXIES=${TRUSTED_PROXIES.join()}`
  const trust = trustOf(TRUSTED_PROXIES)
  if (typeof trust === 'string')
    return broken(`${list} cannot be used: ${trust}.`, 'Name addresses, or networks as 10.0.0.0/8.')
  if (PUBLIC.every((address) => trust(address, 0)))
    return broken(`${list} believes everybody about their address.`, 'Name the proxy alone.')
  if (PUBLIC_URL === undefined) return fine(`${list}; PUBLIC_URL is not set, so no proxy was tried.`)
  if (runningPid(config) === null)
    return doubtful(`${list}; not tried: the server does not run.`, 'Start it with ./vigil up')
  const claim = { 'x-forwarded-host': CLAIM.host, 'x-forwarded-prefix': CLAIM.prefix }
  try {
    const [plain, claimed] = [await look(PUBLIC_URL, {}), await look(PUBLIC_URL, claim)]
    return judge(PUBLIC_URL, list, { plain, claimed })
  } catch (error) {
    const found = `${PUBLIC_URL} does not lead to this server: ${reasonOf(error)}.`
    return broken(found, 'Correct PUBLIC_URL, or see the log of the proxy.')
  }
}

/** Whom the server would believe; why it would not start, for a word that is no address. */
function trustOf(proxies: readonly string[]) {
  try {
    return proxyAddr.compile([...proxies])
  } catch (error) {
    return textOf(error)
  }
}

function judge(url: string, list: string, { plain, claimed }: { plain: Seen; claimed: Seen }): Finding {
  const { origin, protocol } = new URL(url)
  const prefix = new URL(url).pathname.replace(/\/$/, '')
  if (plain.proxy === 'unknown') {
    const found = `The proxy before ${url} calls from ${plain.address}, which ${list} does not name: all clients count as one.`
    return broken(found, `Set TRUSTED_PROXIES to ${plain.address} ${DOCS}.`)
  }
  if (new URL(plain.origin).protocol !== protocol) {
    const found = `Through ${url} the server is called as ${plain.origin}.`
    return broken(found, `The proxy must send X-Forwarded-Proto ${DOCS}.`)
  }
  if (plain.origin !== origin || plain.prefix !== prefix) {
    const found = `Through ${url} the server is called as ${plain.origin}${plain.prefix}, so links lead there.`
    return broken(found, `The proxy must hand on Host, and below a path X-Forwarded-Prefix ${DOCS}.`)
  }
  if (claimed.origin.includes(CLAIM.host) || claimed.prefix === CLAIM.prefix) {
    const found = `The proxy before ${url} hands on X-Forwarded-Host or X-Forwarded-Prefix of strangers.`
    return doubtful(found, `Let it clear them ${DOCS}.`)
  }
  return fine(`${url} reaches the server as itself; ${list}.`)
}

/** How the server sees a caller who comes through the proxy. */
async function look(url: string, headers: Record<string, string>): Promise<Seen> {
  const answer = await fetch(`${url}/hc/?full=1`, {
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const seen = seenShape.safeParse(await answer.json().catch(() => null))
  if (!seen.success) throw new Error(`something else answers, with ${answer.status}`)
  return seen.data.caller
}
