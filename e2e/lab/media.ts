import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { barcodeCamera, type Camera } from './camera.ts'
import { JANUS_PORTS, type Net, PRINTER_SIDE, said } from './net.ts'

export const TURN_SECRET = 'lab-relay-secret'
/** What the server is told of the lab's relay. */
export const RELAY = {
  TURN_URLS: `turn:${PRINTER_SIDE}:3478?transport=udp,turn:${PRINTER_SIDE}:3478?transport=tcp`,
  TURN_SECRET,
}
/** The streams of the lab's Janus. */
export const H264 = 1
export const MJPEG = 2
const camera = (name: string, more: object) => ({
  name,
  is_primary_camera: false,
  is_nozzle_camera: false,
  data_channel_available: false,
  flipV: false,
  flipH: false,
  rotation: 0,
  streamRatio: '4:3',
  ...more,
})
/** Its cameras, as an agent tells them; the nozzle's hangs on its side, before a mirror. */
export const FRONT = camera('Front', {
  is_primary_camera: true,
  stream_mode: 'h264_transcode',
  stream_id: H264,
  data_channel_available: true,
})
export const TIP = camera('Tip', {
  is_nozzle_camera: true,
  stream_mode: 'mjpeg_webrtc',
  stream_id: MJPEG,
  flipH: true,
  rotation: 90,
})

const LIBRARY = '/usr/lib/x86_64-linux-gnu/janus'
const UNUSED = 'audiobridge echotest nosip sip textroom videoroom duktape lua recordplay videocall voicemail'
const disabled = (names: string) =>
  names
    .split(' ')
    .map((name) => `libjanus_${name}.so`)
    .join(',')

const configs = (folder: string): Record<string, string> => ({
  'janus.jcfg': `general: {
  configs_folder = "${folder}"
  plugins_folder = "${LIBRARY}/plugins"
  transports_folder = "${LIBRARY}/transports"
  events_folder = "${LIBRARY}/events"
  loggers_folder = "${LIBRARY}/loggers"
  debug_level = 4
}
media: { rtp_port_range = "${JANUS_PORTS}" }
nat: {
  ice_enforce_list = "vl0,vs0"
  ignore_mdns = true
}
plugins: { disable = "${disabled(UNUSED)}" }
transports: { disable = "${disabled('mqtt nanomsg pfunix rabbitmq http')}" }
`,
  'janus.transport.websockets.jcfg': `general: {
  json = "indented"
  ws = true
  ws_port = 17730
  ws_ip = "127.0.0.1"
  wss = false
}
admin: {
  admin_ws = false
  admin_wss = false
}
`,
  'janus.plugin.streaming.jcfg': `general: { }
h264-1: {
  type = "rtp"
  id = ${H264}
  description = "h264-video"
  enabled = true
  audio = false
  video = true
  videoport = 17732
  videortcpport = 17733
  videoiface = "127.0.0.1"
  videopt = 96
  videortpmap = "H264/90000"
  videofmtp = "profile-level-id=42e01f;packetization-mode=1"
  videobufferkf = true
  data = true
  dataport = 17734
  datatype = "binary"
  dataiface = "127.0.0.1"
  databuffermsg = false
}
mjpeg-2: {
  type = "rtp"
  id = ${MJPEG}
  description = "mjpeg-data"
  audio = false
  video = false
  data = true
  dataport = 17735
  datatype = "binary"
  dataiface = "127.0.0.1"
  databuffermsg = false
}
`,
  'turn.conf': `listening-ip=${PRINTER_SIDE}
relay-ip=${PRINTER_SIDE}
listening-port=3478
min-port=21000
max-port=21200
realm=lab.local
fingerprint
use-auth-secret
static-auth-secret=${TURN_SECRET}
no-cli
no-tls
no-dtls
log-file=stdout
pidfile=${folder}/turn.pid
userdb=${folder}/turn.db
`,
})

const MOST_WAITING = 100_000

const encode = (fps: number) =>
  '-loglevel error -fflags nobuffer -probesize 5000 -analyzeduration 0 -use_wallclock_as_timestamps 1 -f mjpeg -i pipe:0 ' +
  `-r ${fps} -pix_fmt yuv420p -c:v libx264 -preset ultrafast -tune zerolatency -profile:v baseline -b:v 1300k -maxrate 1300k ` +
  `-bufsize 650k -g ${fps} -an -f rtp rtp://127.0.0.1:17732?pkt_size=1200`

/** What stands in the printer's network. */
export interface Media {
  readonly camera: Camera
  /** For a simulated printer: its agent's way to Janus. */
  readonly janus: string
  /** Says something over the data channel beside the H264 camera, as agents say statuses. */
  tell(said: object): void
  /** How long each message takes on the slow way to the relay, each way. */
  delay(ms: number): void
}

interface MediaOptions {
  /** For what Janus and the others want to be told, and its socket. */
  readonly folder: string
  readonly fps: number
  readonly signal: AbortSignal
}

/** Starts Janus, a relay and a camera in the printer's network. */
export async function startMedia(net: Net, { folder, fps, signal }: MediaOptions): Promise<Media> {
  const etc = join(folder, 'etc')
  await mkdir(etc)
  for (const [name, text] of Object.entries(configs(etc))) await writeFile(join(etc, name), text)
  net.start(net.printer, 'janus', ['--configs-folder', etc]).stdout?.resume()
  net.start(net.printer, 'turnserver', ['-c', join(etc, 'turn.conf')]).stdout?.resume()
  const path = join(folder, 'janus.sock')
  const args = [join(import.meta.dirname, 'inside.ts'), 'printer', path]
  const inside = net.start(net.printer, process.execPath, args, 'pipe')
  await said(inside, 'ready')
  const encoder = net.start(net.printer, 'ffmpeg', encode(fps).split(' '), 'pipe')
  encoder.stdout?.resume()
  const say = (kind: 'p' | 's' | 'd', bytes: Uint8Array) => {
    const head = Buffer.alloc(5, kind)
    head.writeUInt32BE(bytes.length)
    inside.stdin?.write(Buffer.concat([head, bytes]))
  }
  const camera = barcodeCamera(fps, signal, (jpeg) => {
    // A camera has no queue: what an encoder that is late can't take is lost.
    if ((encoder.stdin?.writableLength ?? 0) < MOST_WAITING) encoder.stdin?.write(jpeg)
    say('p', jpeg)
  })
  return {
    camera,
    janus: `ws+unix:${path}`,
    tell: (message) => say('s', deflateSync(JSON.stringify(message))),
    delay: (ms) => say('d', Buffer.from(String(ms))),
  }
}
