/**
 * Runs inside a network namespace and joins it to the test outside by sockets in the file system, which namespaces share:
 * `printer PATH` has Janus at PATH and sends pictures from stdin as an agent does; `viewer PORT PATH` has the server of PATH at PORT.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const JANUS = 17730
const MJPEG = 17735
/** As agents do it (docs/wire/agents.md 4.4). */
const CHUNK = 1_400
const PAUSE_MS = 4

const [role = '', ...words] = process.argv.slice(2)

function join(from: Socket, to: Socket): void {
  from.pipe(to).pipe(from)
  for (const end of [from, to]) {
    end.on('error', () => undefined)
    end.on('close', () => (end === from ? to : from).destroy())
  }
}

/** One picture after the other; those that come meanwhile are skipped but for the last. */
function sendPictures(): void {
  const udp = createSocket('udp4')
  let held = Buffer.alloc(0)
  let next: Buffer | null = null
  let isBusy = false
  const send = async () => {
    isBusy = true
    for (let picture = next; picture !== null; picture = next) {
      next = null
      const text = picture.toString('base64')
      udp.send(`\r\n${text.length}:${picture.length}\r\n`, MJPEG, '127.0.0.1')
      for (let at = 0; at < text.length; at += CHUNK) {
        udp.send(text.slice(at, at + CHUNK), MJPEG, '127.0.0.1')
        await sleep(PAUSE_MS)
      }
    }
    isBusy = false
  }
  process.stdin.on('data', (data: Buffer) => {
    held = Buffer.concat([held, data])
    for (;;) {
      const length = held.length < 4 ? Infinity : held.readUInt32BE(0)
      if (held.length < 4 + length) return
      next = held.subarray(4, 4 + length)
      held = held.subarray(4 + length)
      if (!isBusy) void send()
    }
  })
}

/** Janus takes connections; it says so to nobody. */
async function untilJanusIsThere(): Promise<void> {
  for (;;) {
    const socket = connect(JANUS, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    await sleep(50)
  }
}

if (role === 'printer') {
  sendPictures()
  await untilJanusIsThere()
  createServer((client) => join(client, connect(JANUS, '127.0.0.1'))).listen(words[0], () =>
    console.log('ready'),
  )
} else {
  createServer((client) => join(client, connect(words[1] ?? ''))).listen(Number(words[0]), '127.0.0.1', () =>
    console.log('ready'),
  )
}
