import { networkInterfaces } from 'node:os'
import type { listAddresses, Reach } from '@vigil/contract/printers/addresses.ts'
import type { Reply } from '@vigil/contract/endpoint.ts'
import ipaddr from 'ipaddr.js'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { isPrivateAddress } from '../../../lib/addresses.ts'
import { isInnerNetwork, outwardAddresses } from '../../../lib/interfaces.ts'

const ORDER: readonly Reach[] = ['machine', 'network', 'everywhere']
/** Names that are given out within a network. */
const LOCAL_NAME = /(^[^.]{1,253}|\.(local|lan|home|internal|intranet|localdomain|home\.arpa))$/

/** From where the host of a URL leads to this server, as far as its name tells. */
export function reachOf(host: string): Reach {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  if (ipaddr.isValid(name)) {
    const range = ipaddr.process(name).range()
    if (range === 'loopback' || range === 'unspecified') return 'machine'
    return range === 'unicast' && !isPrivateAddress(name) ? 'everywhere' : 'network'
  }
  if (/(^|\.)localhost$/.test(name) || name === 'host.docker.internal') return 'machine'
  return LOCAL_NAME.test(name) ? 'network' : 'everywhere'
}

/** Hosts of this machine that other machines can open, given what it listens on. */
function ownHosts({ HOST: listening, IN_CONTAINER }: Ctx['config']): string[] {
  const interfaces = networkInterfaces()
  if (isInnerNetwork(interfaces, IN_CONTAINER)) return []
  if (listening === '0.0.0.0' || listening === '::') return outwardAddresses(interfaces)
  return reachOf(listening) === 'machine' ? [] : [listening.includes(':') ? `[${listening}]` : listening]
}

/** How far a page's address leads, and what leads further: `PUBLIC_URL`, then the machine's own addresses. */
export function addressesFor(
  { config }: Pick<Ctx, 'config'>,
  edge: Pick<Edge, 'isLocalNetwork'>,
  at: string,
): Reply<typeof listAddresses> {
  const here = new URL(at)
  const reach = reachOf(here.hostname)
  const onlyHere = reachOf(config.HOST) === 'machine' && !['0.0.0.0', '::'].includes(config.HOST)
  // Who came through a proxy came by another port, and strangers need not know of our network.
  const own = edge.isLocalNetwork && reach === 'machine' ? ownHosts(config) : []
  const port = here.port === '' ? '' : `:${here.port}`
  const known = [
    ...(config.PUBLIC_URL === undefined ? [] : [config.PUBLIC_URL]),
    ...own.map((host) => `${here.protocol}//${host}${port}`),
  ]
  const further = known
    .map((address) => ({ address, reach: reachOf(new URL(address).hostname) }))
    .filter((one) => ORDER.indexOf(one.reach) > ORDER.indexOf(reach))
  return { reach, further, only_here: onlyHere }
}
