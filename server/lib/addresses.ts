import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * What the IANA special-purpose registries call not globally reachable, with the exceptions they name: the same as
 * `is_private` of Python's `ipaddress`, which agents ask. Shared address space (100.64.0.0/10) is neither.
 */
const PRIVATE = blockListOf([
  ...'0.0.0.0/8 10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24'.split(' '),
  ...'192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4'.split(' '),
  ...'::/128 ::1/128 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16'.split(' '),
  ...'3fff::/20 fc00::/7 fe80::/10'.split(' '),
])
const REACHABLE = blockListOf([
  ...'192.0.0.9/32 192.0.0.10/32'.split(' '),
  ...'2001:1::1/128 2001:1::2/128 2001:3::/32 2001:4:112::/48 2001:20::/28 2001:30::/28'.split(' '),
])

/** A list of networks; a bare address is a network of one. */
export function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return list
}

/** Whether an address stands in a list of networks; an IPv4-mapped one counts as what it maps. */
export function isListed(list: BlockList, address: string): boolean {
  const bare = address.split('%', 1)[0] ?? ''
  if (isIP(bare) === 0) return false
  const plain = ipaddr.process(bare)
  return list.check(plain.toString(), plain.kind())
}

/** True for an address that nobody on the internet can reach; an IPv4-mapped one counts as what it maps. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const plain = ipaddr.process(address.split('%', 1)[0]!)
  const [text, family] = [plain.toString(), plain.kind()]
  return PRIVATE.check(text, family) && !REACHABLE.check(text, family)
}

/** One key for one client: an IPv4 address, or the /64 that an IPv6 customer has at least. */
export const clientOf = (address: string): string => networkOf(address, 64)

/** One key for all that one IPv6 customer may have at most, a /48; an IPv4 client's is its address. */
export const siteOf = (address: string): string => networkOf(address, 48)

function networkOf(address: string, bits: number): string {
  if (!ipaddr.isValid(address)) return address
  const plain = ipaddr.process(address)
  if (!(plain instanceof ipaddr.IPv6)) return plain.toString()
  const parts = plain.parts.slice(0, bits / 16).map((part) => part.toString(16))
  return `${parts.join(':')}::/${bits}`
}
