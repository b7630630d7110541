/**
 * Runs inside a network namespace and joins it to the test outside by sockets in the file system, which namespaces share:
 * `printer PATH` has Janus at PATH, and sends what comes by stdin as an agent does; `viewer PORT PATH` has the server of PATH at PORT.
 */
import { createSocket, type Socket as Udp } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../server/test/eventually.ts'

const JANUS = 17730
const DATA = 17734
const MJPEG = 17735
/** As agents do it (docs/wire/agents.md 4.4). */
const CHUNK = 1_400
const PAUSE_MS = 4
const RELAY = { address: '10.99.0.1', port: 3478, slowPort: 3479 }

const [role = '', ...words] = process.argv.slice(2)

function join(from: Socket, to: Socket): void {
  from.pipe(to).pipe(from)
  for (const end of [from, to]) {
    end.on('error', () => undefined)
    end.on('close', () => (end === from ? to : from).destroy())
  }
}

/** One picture after the other; those that come meanwhile are skipped but for the last. */
function pictureSender(udp: Udp): (jpeg: Buffer) => void {
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
  return (jpeg) => {
    next = jpeg
    if (!isBusy) void send()
  }
}

/** A second way to the relay, on which everything takes longer, each way; returns how to say how long. */
function slowRelay(): (ms: number) => void {
  let delay = 0
  const door = createSocket('udp4')
  const ways = new Map<string, Udp>()
  const wayOf = (address: string, port: number) => {
    const key = `${address}:${port}`
    const known = ways.get(key)
    if (known) return known
    const way = createSocket('udp4')
    way.on('message', (data) => setTimeout(() => door.send(data, port, address), delay))
    ways.set(key, way)
    return way
  }
  door.on('message', (data, { address, port }) => {
    const way = wayOf(address, port)
    setTimeout(() => way.send(data, RELAY.port, RELAY.address), delay)
  })
  door.bind(RELAY.slowPort, RELAY.address)
  return (ms) => void (delay = ms)
}

/** What the test says: length, one letter, and a picture (`p`), a status (`s`) or a delay in milliseconds (`d`). */
function hearTest(): void {
  const udp = createSocket('udp4')
  const picture = pictureSender(udp)
  const delay = slowRelay()
  let held = Buffer.alloc(0)
  process.stdin.on('data', (data: Buffer) => {
    held = Buffer.concat([held, data])
    for (;;) {
      const length = held.length < 5 ? Infinity : held.readUInt32BE(0)
      if (held.length < 5 + length) return
      const kind = String.fromCharCode(held[4] ?? 0)
      const said = held.subarray(5, 5 + length)
      held = held.subarray(5 + length)
      if (kind === 'p') picture(said)
      else if (kind === 's') udp.send(said, DATA, '127.0.0.1')
      else delay(Number(said.toString()))
    }
  })
}

/** Janus takes connections; it says so to nobody. */
async function untilJanusIsThere(): Promise<void> {
  await eventually(async () => {
    const socket = connect(JANUS, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => undefined,
    )
    socket.destroy()
    return isThere
  })
}

if (role === 'printer') {
  hearTest()
  await untilJanusIsThere()
  createServer((client) => join(client, connect(JANUS, '127.0.0.1'))).listen(words[0], () =>
    console.log('ready'),
  )
} else {
  createServer((client) => join(client, connect(words[1] ?? ''))).listen(Number(words[0]), '127.0.0.1', () =>
    console.log('ready'),
  )
}
