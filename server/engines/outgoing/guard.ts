import { lookup as lookUp, type LookupAddress } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isPrivateAddress } from '../../lib/addresses.ts'

/** An address that people may not have us call. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** Networks of the house that the administrator lets people name: `192.168.1.0/24`. */
export interface Allowed {
  check(address: string, family: 'ipv4' | 'ipv6'): boolean
}

/** Never, whatever is allowed: this machine itself, and where clouds keep the secrets of their machines. */
const NEVER = blockListOf([
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/127',
  'fe80::/10',
  'fd00:ec2::/32',
  'ff00::/8',
])
/** Addresses in which another one is written: they are not unravelled, but refused. */
const WRAPPED = blockListOf(['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32', '::/96'])
const SHARED = blockListOf(['100.64.0.0/10'])

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

/** Whether we may call this address for somebody who has named it; an IPv4-mapped one counts as what it maps. */
export function mayCall(address: string, allowed: Allowed): boolean {
  if (isIP(address) === 0) return false
  const plain = ipaddr.process(address.split('%', 1)[0] ?? '')
  const [text, family] = [plain.toString(), plain.kind()]
  if (NEVER.check(text, family) || WRAPPED.check(text, family)) return false
  if (allowed.check(text, family)) return true
  return !isPrivateAddress(text) && !SHARED.check(text, family)
}

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void
type Resolve = (
  host: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/**
 * Resolves a name for `net.connect`, and lets it connect to addresses that may be called alone: what was looked at is
 * what is connected to, so that a name which means something else a moment later gains nothing.
 */
export function guardedLookup(allowed: Allowed, resolve: Resolve = lookUp) {
  return (host: string, options: { all?: boolean | undefined }, done: Done): void => {
    resolve(host, { all: true }, (error, found) => {
      if (error) return done(error, '')
      const open = found.filter(({ address }) => mayCall(address, allowed))
      const [first] = open
      if (first === undefined || open.length < found.length)
        return done(new AddressRefused(`${host} is an address that may not be called`), '')
      if (options.all) done(null, open)
      else done(null, first.address, first.family)
    })
  }
}

/** Raises `AddressRefused` for an address that is written as one, as nobody looks that up. */
export function refuseLiteral(hostname: string, allowed: Allowed): void {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0 && !mayCall(bare, allowed))
    throw new AddressRefused(`${bare} is an address that may not be called`)
}
