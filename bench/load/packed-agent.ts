/** An agent whose answer was packed before it is asked for, in a process of its own: `packed-agent.ts SERVER TOKEN`. So it costs the machine next to nothing. */
import { deflateSync } from 'node:zlib'
import { deserialize, serialize } from 'bson'
import { WebSocket } from 'ws'

const MB = 1_048_576
/** Positions as a slicer writes them, which pack to a third. */
const line = (at: number) =>
  `G1 X${((at * 2_654_435_761) % 220_000) / 1_000} Y${((at * 7) % 220_000) / 1_000}\n`
const content = Buffer.from(Array.from({ length: 80_000 }, (_, at) => line(at)).join('')).subarray(0, MB)
const large = { status: 200, compressed: true, content: deflateSync(content), cookies: null }
const small = { status: 200, compressed: false, content: Buffer.from('x'.repeat(640)), cookies: null }
const headers = { 'Content-Type': 'application/json' }

const [, , server = '', token = ''] = process.argv
const socket = new WebSocket(`${server.replace('http', 'ws')}/ws/dev/`, {
  headers: { authorization: `bearer ${token}` },
  perMessageDeflate: false,
})
socket.on('message', (data: Buffer, isBinary) => {
  if (!isBinary) return
  const { ref, path } = deserialize(data)['http.tunnelv2'] as { ref: string; path: string }
  const response = { ...(path === '/small' ? small : large), headers }
  socket.send(serialize({ 'http.tunnelv2': { ref, response } }))
})
socket.on('open', () => {
  socket.send(JSON.stringify({ settings: { agent: { name: 'moonraker_obico', version: '1.7.0' } } }))
  process.send?.(server)
})
process.on('disconnect', () => process.exit())
