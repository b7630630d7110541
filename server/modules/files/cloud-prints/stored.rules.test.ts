import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { rewrite, storedByKlipper, storedByOctoPrint } from './stored.rules.ts'

const OURS =
  'M73 P0\n\n  \r\n  G28 ; hôme\n;LAYER:0\nG1 X1\n\t; layer 1, Z = 0.4\n;BEFORE_LAYER_CHANGE\n; layers\n\u00a0G1 X2'
/** As the plug-in's own code makes it. */
const THERE =
  'M73 P0\nG28 ; hôme\n;LAYER:0\nM117 OBICO_LAYER_INDICATOR 1\r\nG1 X1\n; layer 1, Z = 0.4\nM117 OBICO_LAYER_INDICATOR 2\r\n' +
  ';BEFORE_LAYER_CHANGE\nM117 OBICO_LAYER_INDICATOR 3\r\n; layers\nG1 X2'

async function* inPieces(content: Buffer, of: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += of) yield content.subarray(at, at + of)
}
const claim = (there: string | Buffer) => ({
  signature: `md5:${createHash('sha1').update(there).digest('hex')}`,
  numBytes: Buffer.byteLength(there),
})
const judge = (there: string | Buffer, ours: string | Buffer = OURS, of = 7) =>
  storedByOctoPrint(claim(there), inPieces(Buffer.from(ours), of))

describe('a file on OctoPrint', () => {
  it('is rewritten as the plug-in does it', () => {
    expect(rewrite(Buffer.from(OURS), { count: 0 }).toString()).toBe(THERE)
  })

  it('is whole as it was rewritten, and as it was sent, in whatever pieces it is read', async () => {
    for (const of of [1, 7, 64, 10_000])
      expect([await judge(THERE, OURS, of), await judge(OURS, OURS, of)]).toEqual(['whole', 'whole'])
  })

  it('is cut when its beginning lies there, wherever that ends', async () => {
    for (const end of [1, 10, 40, THERE.length - 1])
      expect(await judge(Buffer.from(THERE).subarray(0, end))).toBe('cut')
  })

  it('is in doubt when it is another: smaller, larger, of the same size, not UTF-8, without an end of line', async () => {
    for (const other of ['G28\n', `${THERE}M84\n`, THERE.replace('X2', 'X3')])
      expect(await judge(other)).toBe('unsure')
    expect(await judge(THERE, Buffer.from([0x3b, 0xff, 0x0a]))).toBe('unsure')
    expect(await judge(THERE, ' '.repeat(3_000_000), 65_536)).toBe('unsure')
  })
})

it('a file on Klipper is as large as ours; larger ones are in doubt', () => {
  const told = [null, 99, 100, 101].map((numBytes) => storedByKlipper({ signature: 'ts:1', numBytes }, 100))
  expect(told).toEqual([null, 'cut', 'whole', 'unsure'])
})
