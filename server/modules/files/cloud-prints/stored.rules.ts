import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'

/**
 * Whether a file of ours lies whole on a printer (docs/wire/agents.md 7.2). `unsure`: it is another than we would expect;
 * nobody knows whether anything is missing.
 */
export type Stored = 'whole' | 'cut' | 'unsure'

/** What an agent says of the file that it has stored. */
export interface Claim {
  readonly signature: string
  readonly numBytes: number | null
}

/** A line of G-code that is longer is none. */
const LONGEST_LINE = 1_048_576
const NEWLINE = 10
/** What Python's `lstrip` takes away. */
const WHITE = new Set(
  '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
)
const LAYER_MARK = /^;(?:LAYER:\d| <?layer \d|(?: BEGIN_|BEFORE_)+LAYER_(?:CHANGE|OBJECT))/
/** Of a line, as much as its mark can need. */
const MARK_LENGTH = 200

/** Klipper stores what it is given; its agent tells the size and the time alone. */
export function storedByKlipper({ numBytes }: Claim, ours: number): Stored | null {
  if (numBytes === null) return null
  if (numBytes === ours) return 'whole'
  return numBytes < ours ? 'cut' : 'unsure'
}

/**
 * Compares what OctoPrint says of its file (its SHA-1, by the name of MD5, and its size) with ours as the plug-in rewrites
 * it while it is stored. `cut` only when what lies there is the beginning of that, to the byte.
 */
export async function storedByOctoPrint(
  { signature, numBytes }: Claim,
  content: AsyncIterable<Buffer>,
): Promise<Stored> {
  const claimed = signature.slice(signature.indexOf(':') + 1)
  const [asSent, rewritten] = [createHash('sha1'), createHash('sha1')]
  let size = 0
  let beginning: string | null = null
  const layers = { count: 0 }
  for await (const lines of wholeLines(content)) {
    if (!isUtf8(lines)) return 'unsure'
    asSent.update(lines)
    const there = rewrite(lines, layers)
    const missing = (numBytes ?? Infinity) - size
    if (beginning === null && there.length >= missing)
      beginning = rewritten.copy().update(there.subarray(0, missing)).digest('hex')
    rewritten.update(there)
    size += there.length
  }
  if ([asSent.digest('hex'), rewritten.digest('hex')].includes(claimed)) return 'whole'
  return beginning === claimed && numBytes !== null && numBytes < size ? 'cut' : 'unsure'
}

/** Of a file that the plug-in could not store, its letters stand in its head. */
const LOOKED_AT = 8_388_608

/** Whether the plug-in can read a file, as far as its beginning tells: what is not UTF-8 it does not store, and says nothing. */
export async function isStorable(content: AsyncIterable<Buffer>): Promise<boolean> {
  let size = 0
  for await (const lines of wholeLines(content)) {
    if (!isUtf8(lines)) return false
    if ((size += lines.length) > LOOKED_AT) break
  }
  return true
}

/** Blocks that end with a line. What is no text in lines comes as it is, in pieces. */
async function* wholeLines(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left: Buffer = Buffer.alloc(0)
  for await (const chunk of content) {
    const block = left.length > 0 ? Buffer.concat([left, chunk]) : chunk
    const end = block.lastIndexOf(NEWLINE) + 1
    const isEndless = end === 0 && block.length > LONGEST_LINE
    if (end > 0 || isEndless) yield block.subarray(0, end || block.length)
    left = isEndless ? Buffer.alloc(0) : block.subarray(end)
  }
  if (left.length > 0) yield left
}

/**
 * What the plug-in makes of lines: white space at their beginnings goes (so blank lines do), and after each layer mark comes
 * a line that counts it.
 */
export function rewrite(lines: Buffer, layers: { count: number }): Buffer {
  const parts: Buffer[] = []
  for (let from = 0; from < lines.length;) {
    const newline = lines.indexOf(NEWLINE, from)
    const end = newline < 0 ? lines.length : newline + 1
    const line = lines.subarray(from, end)
    from = end
    const first = line[0] ?? 0
    // Almost all lines are commands.
    if (first > 0x20 && first < 0x80 && first !== 0x3b) parts.push(line)
    else parts.push(...rewriteLine(line, layers))
  }
  return Buffer.concat(parts)
}

function rewriteLine(line: Buffer, layers: { count: number }): Buffer[] {
  const whole = line.toString()
  let from = 0
  while (WHITE.has(whole[from] ?? '')) from++
  const text = Buffer.from(whole.slice(from))
  if (!LAYER_MARK.test(text.toString('utf8', 0, MARK_LENGTH))) return [text]
  return [text, Buffer.from(`M117 OBICO_LAYER_INDICATOR ${++layers.count}\r\n`)]
}
