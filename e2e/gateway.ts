import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { until } from './support.ts'

const LIB = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/janus`
/** `ffmpeg`'s words. */
const words = (text: string) => text.split(' ')
const SOURCE = words('-loglevel error -nostdin -re -f lavfi -i testsrc2=size=320x240:rate=10')
const H264 = words(
  '-pix_fmt yuv420p -c:v libx264 -preset ultrafast -tune zerolatency -profile:v baseline -b:v 600k -g 10 -f rtp',
)
const MJPEG = words('-c:v mjpeg -q:v 12 -f image2pipe -')
/** As agents send them: messages of so many bytes, so far apart. */
const CHUNK = 1400
const PACE_MS = 4

/** A real Janus beside an agent, and the cameras that it streams: H264 as stream 1, MJPEG as stream 2. */
export interface RealGateway {
  readonly address: string
  /** Of a hundred packets of the H264 camera, so many never reach the gateway; 100: it has stopped. */
  lose: (percent: number) => void
  /** Over the H264 camera's data channel, as agents say statuses. */
  tell: (said: object) => void
  stop: () => Promise<void>
}

const setting = (name: string, values: Record<string, string | number | boolean>) =>
  `${name}: {\n${Object.entries(values)
    .map(([key, value]) => `  ${key} = ${typeof value === 'string' ? JSON.stringify(value) : value}`)
    .join('\n')}\n}\n`

function settings(folder: string, port: number, device: string): Record<string, string> {
  const local = '127.0.0.1'
  const data = { data: true, datatype: 'binary', dataiface: local, databuffermsg: false }
  return {
    'janus.jcfg':
      setting('general', {
        configs_folder: folder,
        plugins_folder: `${LIB}/plugins`,
        transports_folder: `${LIB}/transports`,
        events_folder: `${LIB}/events`,
        loggers_folder: `${LIB}/loggers`,
        debug_level: 3,
      }) +
      setting('nat', { ice_enforce_list: device, ignore_mdns: true }) +
      setting('transports', { disable: 'libjanus_http.so,libjanus_pfunix.so' }),
    'janus.transport.websockets.jcfg': setting('general', { ws: true, ws_port: port, ws_ip: local }),
    'janus.plugin.streaming.jcfg':
      setting('h264', {
        type: 'rtp',
        id: 1,
        audio: false,
        video: true,
        videoport: port + 2,
        videoiface: local,
        videopt: 96,
        videortpmap: 'H264/90000',
        videofmtp: 'profile-level-id=42e01f;packetization-mode=1',
        videobufferkf: true,
        ...data,
        dataport: port + 4,
      }) + setting('mjpeg', { type: 'rtp', id: 2, audio: false, video: false, ...data, dataport: port + 6 }),
  }
}

/** Starts it all; raises a sentence where this machine can't. */
export async function startGateway(): Promise<RealGateway> {
  const device = Object.entries(networkInterfaces()).find(([, all]) =>
    all?.some(({ internal, family }) => !internal && family === 'IPv4'),
  )?.[0]
  if (!device)
    throw new Error('Janus leaves loopback alone: a network interface with an IPv4 address is needed.')
  const port = 20_000 + Math.floor(Math.random() * 1000) * 10
  const folder = await mkdtemp(join(tmpdir(), 'vigil-janus-'))
  for (const [name, text] of Object.entries(settings(folder, port, device)))
    await writeFile(join(folder, name), text)
  const children = [
    spawn('janus', ['--configs-folder', folder], { stdio: 'ignore' }),
    spawn('ffmpeg', [...SOURCE, ...H264, `rtp://127.0.0.1:${port + 8}?pkt_size=600`]),
    spawn('ffmpeg', [...SOURCE, ...MJPEG]),
  ]
  let lost = 0
  const sockets = [await lossy(port + 8, port + 2, () => lost), sendPictures(children[2]!, port + 6)]
  await until(() => answers(port), 20_000, 'Janus')
  return {
    address: `ws://127.0.0.1:${port}/`,
    lose: (percent) => void (lost = percent),
    tell: (said) => sockets[1]?.send(deflateSync(JSON.stringify(said)), port + 4, '127.0.0.1'),
    async stop() {
      for (const socket of sockets) socket.close()
      for (const child of children) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.end())
  })

/** A way on which so many of a hundred packets are lost, in a row: what is between them can be seen. */
async function lossy(from: number, to: number, percent: () => number): Promise<Socket> {
  const socket = createSocket('udp4')
  let at = 0
  socket.on('message', (packet) => {
    if (at++ % 400 >= percent() * 4) socket.send(packet, to, '127.0.0.1')
  })
  await new Promise<void>((resolve) => socket.bind(from, '127.0.0.1', resolve))
  return socket
}

/** Sends the latest picture that came, as agents do. */
function sendPictures({ stdout }: ChildProcess, to: number): Socket {
  const socket = createSocket('udp4')
  let open = true
  socket.on('close', () => (open = false))
  let came = Buffer.alloc(0)
  const latest: Buffer[] = []
  stdout?.on('data', (bytes: Buffer) => {
    came = Buffer.concat([came, bytes])
    for (
      let end = came.indexOf('\xff\xd9', 0, 'latin1');
      end >= 0;
      end = came.indexOf('\xff\xd9', 0, 'latin1')
    ) {
      latest[0] = came.subarray(0, end + 2)
      came = came.subarray(end + 2)
    }
  })
  const send = (text: string) => open && socket.send(text, to, '127.0.0.1')
  void (async () => {
    while (open) {
      const picture = latest.pop()
      const text = picture?.toString('base64') ?? ''
      if (picture) send(`\r\n${text.length}:${picture.length}\r\n`)
      for (let at = 0; at < text.length; at += CHUNK) {
        send(text.slice(at, at + CHUNK))
        await wait(PACE_MS)
      }
      await wait(20)
    }
  })()
  return socket
}
