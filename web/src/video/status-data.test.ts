import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readData } from './status-data.ts'

const packed = (value: unknown) => new Uint8Array(deflateSync(JSON.stringify(value)))

it('reads what an agent says, and nothing that is not it', async () => {
  const said = { status: { state: { text: 'Printing' } } }
  expect(await readData(packed(said))).toEqual(said)
  const text = Buffer.from(JSON.stringify(said))
  for (const other of [text, gzipSync(text), deflateRawSync(text), Buffer.alloc(0), Buffer.from('x{"a":1}')])
    expect(await readData(new Uint8Array(other))).toBeNull()
  expect(await readData(packed(said).slice(0, 20)), 'cut off').toBeNull()
})

it('unpacks no more than a bound', async () => {
  expect(await readData(packed('0'.repeat(5_000_000)))).toBeNull()
  expect(await readData(new Uint8Array(100_000).fill(0x78))).toBeNull()
})
