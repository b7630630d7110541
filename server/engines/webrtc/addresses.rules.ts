import { isIPv6 } from 'node:net'

/** Addresses are ours to give: those of the other side are left out, as we call nobody. */
export const withoutCandidates = (sdp: string): string =>
  sdp.replace(/^a=(?:candidate:.{0,1000}|end-of-candidates)\r?\n/gm, '')

/** A session description that names these addresses and no others; none: those that the machine has. */
export function withAddresses(sdp: string, addresses: readonly string[]): string {
  if (addresses.length === 0) return sdp
  const port = /^a=candidate:\S{1,99} 1 UDP \d{1,12} \S{1,99} (\d{1,5}) typ host/im.exec(sdp)?.[1]
  if (port === undefined) return sdp
  const lines = addresses.map(
    (address, i) => `a=candidate:${i + 1} 1 UDP ${priorityOf(address, i)} ${address} ${port} typ host\r\n`,
  )
  const bare = withoutCandidates(sdp)
  // Behind the first medium's password: all media go one way.
  return bare.replace(/^(a=ice-pwd:.{0,300}\r?\n)/m, `$1${lines.join('')}a=end-of-candidates\r\n`)
}

/** As RFC 8445 counts it: the first address before the others. */
const priorityOf = (address: string, place: number): number =>
  126 * 2 ** 24 + (65_535 - 256 * place - (isIPv6(address) ? 1 : 0)) * 2 ** 8 + 255
