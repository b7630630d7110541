import { isPrivateAddress } from '../../../lib/addresses.ts'

/** A name as files are called on printers: every character but those of words, and the dot, becomes an underscore. */
export const safeName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}_.]/gu, '_')

const EXTENSIONS = /\.(?:g|gcode|gco)$/i

/** Bytes of a file's name that every printer's file system takes (255), and what its agent may add to it. */
const MOST_BYTES = 200

/** The same for a file, shortened before its ending so that a printer can store it under that name. */
export function safeFileName(name: string): string {
  const safe = safeName(name)
  const [ending = ''] = EXTENSIONS.exec(safe) ?? []
  let left = MOST_BYTES - ending.length
  let kept = ''
  for (const character of safe.slice(0, safe.length - ending.length)) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    kept += character
  }
  return kept + ending
}

/** Whether a name ends as G-code does: `.g`, `.gcode` or `.gco`. */
export const isGCodeName = (name: string): boolean => EXTENSIONS.test(name)

/** The beginning of a file that is text: G-code holds no NUL, real binaries nearly always do. */
export const isText = (head: Uint8Array): boolean => !head.includes(0)

/**
 * Where a file lies on its printer, as its agent says: a path, or an address of http(s) in the printer's own network. Anything else
 * that a browser would open (a script, another host) is nothing.
 */
export function placeOnPrinter(said: string): string | null {
  if (said === '' || said.startsWith('//') || said.includes('\\')) return null
  const address = URL.parse(said)
  if (address === null) return said
  const host = address.hostname.replaceAll(/^\[|\]$/g, '')
  const isNear = host === 'localhost' || host.endsWith('.local') || isPrivateAddress(host)
  // "evil.example@192.168.1.7" reads as what it is not
  const isPlain = /^https?:$/.test(address.protocol) && address.username === '' && address.password === ''
  return isPlain && isNear ? said : null
}
