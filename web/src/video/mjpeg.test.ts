import { describe, expect, it } from 'vitest'
import { MjpegReader } from './mjpeg.ts'

/** A picture of so many bytes, as far as a reader looks at it. */
function jpeg(bytes: number, filling = 7): Uint8Array {
  const made = new Uint8Array(bytes).fill(filling)
  made.set([0xff, 0xd8, 0xff, 0xe0])
  made.set([0xff, 0xd9], bytes - 2)
  return made
}

const base64Of = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** The messages that agents make of it. */
function messages(picture: Uint8Array, size = 1400): string[] {
  const text = base64Of(picture)
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
  return [`\r\n${text.length}:${picture.length}\r\n`, ...parts]
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

function pictures(reader: MjpegReader, said: readonly (string | Uint8Array)[]) {
  return said.flatMap((message) => reader.push(message) ?? [])
}

describe('pictures over a data channel', () => {
  it('are made of their pieces, text or bytes, each once', () => {
    const [one, two] = [jpeg(19_000), jpeg(4, 1)]
    const reader = new MjpegReader()
    const said = [...messages(one).map(bytesOf), ...messages(two)]
    expect(pictures(reader, said)).toEqual([one, two])
    expect(reader.dropped).toBe(0)
  })

  it('begin with a header: a viewer who comes in the middle of one waits for the next', () => {
    const reader = new MjpegReader()
    const late = messages(jpeg(9000)).slice(2)
    expect(pictures(reader, [...late, ...messages(jpeg(5000))])).toEqual([jpeg(5000)])
    expect(reader.dropped).toBe(0)
  })

  it('are dropped when a piece is lost, doubled or foreign, and the next is taken', () => {
    const whole = messages(jpeg(5000))
    const reader = new MjpegReader()
    const spoilt = [
      whole.filter((_, at) => at !== 2),
      [...whole.slice(0, 3), ...whole.slice(2)],
      [...whole.slice(0, 2), '{"status":{}}', ...whole.slice(3)],
      [whole[0]!, 'é'.repeat(1400), ...whole.slice(2)],
    ]
    for (const said of spoilt) expect(pictures(reader, [...said, ...whole])).toEqual([jpeg(5000)])
    expect(reader.dropped).toBe(4)
  })

  it('are nothing but JPEG of the announced length', () => {
    const reader = new MjpegReader()
    const text = base64Of(bytesOf('<svg onload=alert(1)>'))
    expect(pictures(reader, [`\r\n${text.length}:21\r\n`, text])).toEqual([])
    const short = base64Of(jpeg(30))
    expect(pictures(reader, [`\r\n${short.length}:29\r\n`, short])).toEqual([])
    expect(reader.dropped).toBe(2)
  })

  it('cost no more than a bound, whatever is announced', () => {
    const reader = new MjpegReader()
    const hostile = [
      '\r\n99999999:74999999\r\n',
      '\r\n-4:4\r\n',
      '\r\n4:1e3\r\n',
      '\r\n:\r\n',
      '\r\n',
      `\r\n${'9'.repeat(500_000)}`,
      '\r\n0:0\r\n',
      '\r\n4:4000\r\n',
      new Uint8Array(0),
    ]
    expect(pictures(reader, hostile)).toEqual([])
    expect(pictures(reader, ['A'.repeat(100_000), ...messages(jpeg(99))])).toEqual([jpeg(99)])
  })
})
