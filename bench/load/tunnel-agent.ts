/** A simulated agent with a printer's page behind it, in a process of its own: `tunnel-agent.ts SERVER TOKEN`. Tells the page's address. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startSimulatedPrinter } from '@vigil/simulator/index.ts'

/** G-code as a slicer writes it, which packs to a third. */
const number = (at: number, of: number) => (((at * 2_654_435_761) % of) / 1_000).toFixed(3)
const line = (at: number) =>
  `G1 X${number(at, 220_000)} Y${number(at * 7, 220_000)} E${number(at * 13, 900)}\n`
const file = Buffer.from(Array.from({ length: 400_000 }, (_, at) => line(at)).join('')).subarray(
  0,
  10_485_760,
)

/** `/…/part-60000-3…`: so many bytes of text, another text for each number, each with its tag. */
const PART = /\/part-(\d+)-(\d+)[-.]/

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { url = '/', headers } = request
  if (url === '/server/files/file') {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    const [start, end] = [Number(from ?? 0), Math.min(Number(to ?? file.length), file.length - 1)]
    const range = { 'content-range': `bytes ${start}-${end}/${file.length}` }
    response.writeHead(from === undefined ? 200 : 206, { etag: '"file"', ...(from !== undefined && range) })
    return void response.end(file.subarray(start, end + 1))
  }
  const [, size, at] = PART.exec(url) ?? []
  if (size !== undefined) {
    const etag = `"${createHash('sha1').update(url).digest('hex')}"`
    const isSame = headers['if-none-match'] === etag
    response.writeHead(isSame ? 304 : 200, { etag, 'content-type': 'text/javascript' })
    const start = Number(at) * Number(size)
    return void response.end(isSame ? '' : file.subarray(start, start + Number(size)))
  }
  let length = 0
  request.on('data', (part: Buffer) => (length += part.length))
  request.on('end', () => response.end(JSON.stringify({ length, state: 'x'.repeat(600) })))
}

const page = createServer(answer).listen(0, '127.0.0.1', () => {
  const { port } = page.address() as AddressInfo
  const localUrl = `http://127.0.0.1:${port}`
  const [, , server = '', token = ''] = process.argv
  startSimulatedPrinter({ server, token, light: true, withoutPictures: true, localUrl })
  process.send?.(localUrl)
})
process.on('disconnect', () => process.exit())
