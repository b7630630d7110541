import { randomInt } from 'node:crypto'
import { isIP } from 'node:net'
import type { Edge } from '../../../http/edge.ts'
import { clientOf, isPrivateAddress } from '../../../lib/addresses.ts'

/** Life of a 6-digit code and of an unclaimed passcode (docs/wire/agents.md 2.1, 2.4). */
export const CODE_LIFE_MS = 2 * 3_600_000
/** A matched passcode waits this long for the agent's next poll. */
export const MATCH_LIFE_MS = 60_000
/** Presence of an unlinked agent: OctoPrint polls every 5 s (docs/wire/agents.md 2.2). */
export const PRESENCE_MS = 12_000
/** A queued hand-shake message. */
export const MESSAGE_LIFE_MS = 60_000

/** A 6-digit code with leading zeros, from a CSPRNG. */
export const newCode = () => String(randomInt(1_000_000)).padStart(6, '0')

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** A 5-character passcode `[a-z0-9]`, from a CSPRNG. */
export const newPasscode = () =>
  Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/**
 * Which agents and browsers count as one household: the flat home network as a whole, else the client's public
 * address (an IPv6 client's /64, which is one household's too). Null when the address says nothing: a proxy that
 * hides its clients shows its own, and strangers must never share a household (docs/rules/prints.md 4).
 */
export function householdOf(edge: Pick<Edge, 'address' | 'isLocalNetwork'>): string | null {
  if (edge.isLocalNetwork) return 'local'
  const isPublic = isIP(edge.address) !== 0 && !isPrivateAddress(edge.address)
  return isPublic ? clientOf(edge.address) : null
}

/** A public address may be shared by strangers (a campus, a provider's NAT): then nobody is shown. */
export const mostShown = (household: string) => (household === 'local' ? 50 : 2)

const MAX_TEXT = 253
const SHOWN = [
  'device_id',
  'hostname',
  'host_or_ip',
  'os',
  'arch',
  'rpi_model',
  'octopi_version',
  'plugin_version',
  'agent',
  'printerprofile',
  'machine_type',
]

/** OctoPrint's plugin answers the linking pop-up from here on; Klipper's agent always did (docs/rules/pages.md 3). */
const OCTOPRINT_LINKS_SINCE = '1.8.0'

/** True when a dotted version is below another; what is no version is not judged. `1.8.0rc1` counts as 1.8.0. */
export function isBelow(version: string, least: string): boolean {
  const parts = (text: string) => /^v?(\d+(?:\.\d+)*)/.exec(text)?.[1]?.split('.').map(Number)
  const given = parts(version)
  if (given === undefined) return false
  for (const [i, wanted] of (parts(least) ?? []).entries()) {
    const part = given[i] ?? 0
    if (part !== wanted) return part < wanted
  }
  return false
}

/** An announcement without `agent` is an old plugin of OctoPrint (docs/wire/agents.md 2.3). */
function ageOf({
  agent,
  plugin_version: version,
}: Record<string, unknown>): Record<string, string | boolean> {
  const isOctoPrint = typeof agent !== 'string' || agent === '' || agent.startsWith('octoprint')
  if (!isOctoPrint || typeof version !== 'string' || !isBelow(version, OCTOPRINT_LINKS_SINCE)) return {}
  return { too_old: true, min_version: OCTOPRINT_LINKS_SINCE }
}

/**
 * What of an announcement is shown to browsers: known texts, cut, and the port. Null when the agent cannot be
 * reached locally: only private addresses are listed (docs/wire/agents.md 2.2).
 */
export function listing(
  announced: Record<string, unknown>,
): Record<string, string | number | boolean> | null {
  const host = announced['host_or_ip']
  if (typeof host !== 'string' || !isPrivateAddress(host)) return null
  const shown: Record<string, string | number> = {}
  for (const name of SHOWN) {
    const value = announced[name]
    if (typeof value === 'string') shown[name] = value.slice(0, MAX_TEXT)
  }
  const port = Number(announced['port'])
  if (Number.isInteger(port) && port > 0 && port < 65_536) shown['port'] = port
  return { ...shown, ...ageOf(announced) }
}
