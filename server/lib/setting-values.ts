import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** What is written in settings: a switch, `true` or `yes` alike. */
export const flag = z
  .enum(['true', 'false', '1', '0', 'yes', 'no'])
  .transform((word) => word === 'true' || word === '1' || word === 'yes')
/** Words, by comma; or as JSON has lists, `["a", "b"]`. */
export const list = z.string().transform((text) =>
  (/^\s{0,9}\[.{0,9000}\]\s{0,9}$/s.test(text) ? text.replaceAll(/[[\]"]/g, '') : text)
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)
/** Networks, by comma. */
export const networks = list.pipe(
  z.array(
    z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
      error: 'must be networks such as 192.168.1.0/24',
    }),
  ),
)
/** Addresses, four at most. */
export const addresses = list.pipe(
  z
    .array(z.union([z.ipv4(), z.ipv6()], { error: 'must be addresses such as 203.0.113.7' }))
    .max(4, 'are more than 4'),
)
/** Addresses of helpers for video, eight at most. */
export const iceUrls = (scheme: RegExp, example: string) =>
  list.pipe(
    z
      .array(z.string().refine((url) => scheme.test(url), { error: `must be addresses such as ${example}` }))
      .max(8, 'are more than 8'),
  )
/** `https://api.example=http://127.0.0.1:9240`, by comma. */
export const origins = list.transform((pairs, check) => {
  const known = new Map<string, string>()
  for (const pair of pairs) {
    const [asked, given] = pair.split('=')
    if (URL.canParse(asked ?? '') && URL.canParse(given ?? '')) known.set(asked ?? '', given ?? '')
    else check.addIssue(`must be origin=origin, not ${pair}`)
  }
  return known
})
/** `15853-15858`, both counted in; `0-0`, as old compose files have it, is none. */
export const ports = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, 'must be ports such as 15853-15858')
  .transform((text, check) => {
    const [first = 0, last = 0] = text.split('-').map(Number)
    if (first === 0 && last === 0) return undefined
    if (first > 0 && first <= last && last <= 65_535) return { first, last }
    check.addIssue('must be ports such as 15853-15858')
    return z.NEVER
  })
/** A whole number between these. */
export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** What is never called for anybody, whatever is allowed: nobody is to believe that it were. */
const NEVER_CALLED = ['loopback', 'unspecified', 'linkLocal', 'multicast', 'broadcast']

/** Refuses this machine itself as a network that may be called. */
export function refuseOurselves(networks: readonly string[], check: z.RefinementCtx): void {
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits !== '0' && NEVER_CALLED.includes(ipaddr.process(address).range()))
      check.addIssue(
        `${network} is this machine itself, or no network of a house, and never called: name the network in which this machine has an address, such as 192.168.1.0/24`,
      )
  }
}

/** So many ports behind `PORT` are for tunnels unless others are named. */
const USUAL_TUNNELS = 20

/** A home needs no setting; where tunnels have names, or in tests, no port is opened unasked. */
export function usualTunnelPorts({
  PORT,
  TUNNEL_DOMAIN,
  NODE_ENV,
  ROLE,
}: {
  readonly PORT: number
  readonly TUNNEL_DOMAIN?: string | undefined
  readonly NODE_ENV: string
  readonly ROLE: string
}) {
  const isWanted = TUNNEL_DOMAIN === undefined && NODE_ENV !== 'test' && ROLE !== 'worker' && PORT > 0
  const last = PORT + USUAL_TUNNELS
  return isWanted && last <= 65_535 ? { first: PORT + 1, last } : undefined
}

/** Keys, and addresses that may hold a password: of these the name alone is told, as a log is read by many. */
const UNTOLD = /SECRET|TOKEN|KEY|PASSWORD|URL|DSN/

/** A setting as a complaint names it. */
export const told = (name: string, value: string | undefined) =>
  UNTOLD.test(name) ? name : `${name}=${JSON.stringify(value ?? '')}`
