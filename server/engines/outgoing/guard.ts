import { lookup as lookUp, type LookupAddress } from 'node:dns'
import { lookup as lookUpAll } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import type { Config } from '../../config.ts'
import { blockListOf } from '../../lib/addresses.ts'

/** An address that people may not have us call. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** Networks of the house that the administrator lets people name: `192.168.1.0/24`. */
export interface Allowed {
  check(address: string, family: 'ipv4' | 'ipv6'): boolean
}

/** Where clouds keep the secrets of their machines; never, whatever is allowed. */
const SECRETS = blockListOf(['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::/32'])
/** Of all that is not public, what an administrator may allow: the networks of a house. */
const HOUSE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat'])
/** All of IPv6 that has been given out to be public; addresses in which others are written lie outside, or have a range of their own. */
const PUBLIC_V6 = blockListOf(['2000::/3'])

/**
 * Whether we may call this address for somebody who has named it: one that is plainly public and not this machine's own, or one of
 * the house that is allowed; nothing else. `ipaddr.js` keeps the list of what is special. An IPv4-mapped one counts as what it maps.
 */
export function mayCall(address: string, allowed: Allowed): boolean {
  if (isIP(address) === 0) return false
  const plain = ipaddr.process(address.split('%', 1)[0] ?? '')
  const [text, family] = [plain.toString(), plain.kind()]
  if (SECRETS.check(text, family)) return false
  const range = plain.range()
  if (HOUSE.has(range)) return allowed.check(text, family)
  if (range !== 'unicast' || (family === 'ipv6' && !PUBLIC_V6.check(text, family))) return false
  return allowed.check(text, family) || !isOurs(text)
}

/** A firewall before this machine does not stand between it and itself. */
const isOurs = (address: string): boolean =>
  Object.values(networkInterfaces()).some((list) => list?.some((one) => one.address === address))

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

type Needs = Pick<Config, 'NOTIFY_NETWORKS' | 'OUTGOING_STAND_INS'>
/** So long is waited for what a name means. */
const RESOLVE_MS = 2_000

/**
 * Whether an address that somebody names may be called, as far as can be known before it is: a name that nobody answers for is let
 * be. It is looked at again with each call.
 */
export async function mayBeNamed(
  { NOTIFY_NETWORKS, OUTGOING_STAND_INS }: Needs,
  url: string,
): Promise<boolean> {
  const { origin = '', hostname = '' } = URL.parse(url) ?? {}
  if (OUTGOING_STAND_INS.has(origin) || OUTGOING_STAND_INS.has(url.replace(/\/$/, ''))) return true
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  const allowed = blockListOf(NOTIFY_NETWORKS)
  if (isIP(host) !== 0) return mayCall(host, allowed)
  const late = sleep<LookupAddress[]>(RESOLVE_MS, [], { ref: false })
  const found = await Promise.race([lookUpAll(host, { all: true }).catch(() => []), late])
  return found.every(({ address }) => mayCall(address, allowed))
}
