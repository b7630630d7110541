import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../app.ts'

let app: TestApp
let host: string

beforeAll(async () => {
  app = await buildTestApp()
  host = app.url.replace('http://', '')
})
afterAll(() => app?.close())

/** Sends these lines as they stand; returns the whole answer. */
async function say(...lines: string[]): Promise<string> {
  const [name, port] = host.split(':') as [string, string]
  const socket = connect(Number(port), name)
  socket.end([...lines, 'Connection: close', '', ''].join('\r\n'))
  return await text(socket)
}

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

describe('a request that does not say once whom it is for', () => {
  it.each([
    ['without a Host', ['GET /api/v1/printers HTTP/1.1']],
    ['without a Host in HTTP/1.0', ['GET /api/v1/printers HTTP/1.0']],
    ['with an empty Host', ['GET /api/v1/printers HTTP/1.1', 'Host:']],
    ['with two', ['GET /api/v1/printers HTTP/1.1', 'Host: evil.example', 'host: HERE']],
    ['with the same twice', ['GET /api/v1/printers HTTP/1.1', 'Host: HERE', 'Host: HERE']],
    ['with a list', ['GET /api/v1/printers HTTP/1.1', 'Host: HERE, evil.example']],
    ['in absolute form', ['GET http://evil.example/api/v1/printers HTTP/1.1', 'Host: HERE']],
    ['for itself in absolute form', ['GET http://HERE/api/v1/printers HTTP/1.1', 'Host: HERE']],
    ['for a page', ['GET http://evil.example/printers/ HTTP/1.1', 'Host: HERE']],
    ['for what is not there', ['GET http://evil.example/api/v1/nothing/ HTTP/1.1', 'Host: HERE']],
    ['to sign in', ['GET http://evil.example/api/v1/users/ HTTP/1.1', 'Host: HERE']],
    ['for a socket', ['GET http://evil.example/ws/dev/ HTTP/1.1', 'Host: HERE', ...UPGRADE]],
    ['for a socket without a Host', ['GET /ws/dev/ HTTP/1.1', ...UPGRADE]],
    ['for a socket with two', ['GET /ws/dev/ HTTP/1.1', 'Host: HERE', 'Host: evil.example', ...UPGRADE]],
  ])('%s gets 400 and is led nowhere', async (_what, lines) => {
    const answer = await say(...lines.map((line) => line.replaceAll('HERE', host)))
    expect(answer.split('\r\n', 1)[0]).toBe('HTTP/1.1 400 Bad Request')
    expect(answer.toLowerCase()).not.toMatch(/location:|evil\.example/)
  })

  it.each(['//evil.example', '//evil.example/api/v1/printers', '/\\evil.example/x', '/%2f%2fevil.example'])(
    '%s is a path of ours, whatever it looks like',
    async (path) => {
      const answer = await say(`GET ${path} HTTP/1.1`, `Host: ${host}`)
      expect(answer).not.toMatch(/\r\nlocation:/i)
    },
  )

  it('while one that does is led to the slash at its own host', async () => {
    const answer = await say('GET /api/v1/printers?a=b HTTP/1.1', `Host: ${host}`)
    expect(answer).toMatch(/^HTTP\/1\.1 301 /)
    expect(answer).toMatch(/\r\nlocation: \/api\/v1\/printers\/\?a=b\r\n/i)
  })
})
