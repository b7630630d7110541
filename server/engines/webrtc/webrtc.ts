import { lookup } from 'node:dns/promises'
import type * as Library from 'node-datachannel'
import { withAddresses, withoutCandidates } from './addresses.rules.ts'
import { NoWebrtc, type Peer, type PeerHeard, type VideoFormat, type Webrtc } from './port.ts'

const EVERYWHERE = new Set(['0.0.0.0', '::', '[::]'])
/** All of a node's: a hundred printers with some viewers each. */
const MOST_PEERS = 512
/** Who has been offered something comes within this time, or not at all. */
const COMING_MS = 20_000
/** What usrsctp keeps for each data channel: half a second of pictures on a slow line. */
const SEND_BYTES = 131_072
const RECEIVE_BYTES = 262_144
const MAX_MESSAGE = 65_536
/** Of a channel that both sides know of, so that an offer names data: the one that is used is opened by the other side. */
const SILENT_CHANNEL = { negotiated: true, id: 1_000 }

interface Options {
  /** UDP, for all; 0: one for each, as the machine gives them. */
  readonly port: number
  /** Where it listens: `0.0.0.0` and `::` are all addresses of the machine. */
  readonly host: string
  /** What the other sides are told; none: all that the machine has. */
  readonly addresses: readonly string[]
}

/**
 * Opens the port. The library is native code that ends its process when it is beside itself: call this in a process of its own.
 * Raises `NoWebrtc` where it is not installed, or the port is somebody else's.
 */
export async function openWebrtc({ port, host, addresses }: Options): Promise<Webrtc> {
  const library = await load()
  // It holds the port from now on; a connection that cannot have it would end the process.
  const bindAddress = EVERYWHERE.has(host) ? undefined : (await lookup(host)).address
  const listener = port === 0 ? null : listen(library, port, bindAddress)
  const config: Library.RtcConfig = {
    iceServers: [],
    disableAutoNegotiation: true,
    forceMediaTransport: true,
    maxMessageSize: MAX_MESSAGE,
    ...(bindAddress === undefined ? {} : { bindAddress }),
    ...(listener ? { enableIceUdpMux: true, portRangeBegin: port, portRangeEnd: port } : {}),
  }
  const open = new Set<Connection>()
  const connect = (heard: PeerHeard) => {
    if (open.size >= MOST_PEERS) throw new NoWebrtc('There are too many connections.')
    const peer = new library.PeerConnection('', config)
    const connection = new Connection(peer, heard, { addresses, onEnd: () => open.delete(connection) })
    open.add(connection)
    return { peer, connection }
  }
  return {
    offer: ({ video, hasData, ssrc }, heard) => {
      const { peer, connection } = connect(heard)
      connection.try(() => {
        if (video) connection.carry(peer.addTrack(trackOf(library, video, ssrc)))
        if (hasData) peer.createDataChannel('silent', SILENT_CHANNEL)
        peer.onDataChannel((channel) => connection.speakBy(channel))
        peer.setLocalDescription('offer')
      })
      return connection
    },
    answer: (sdp, channel, heard) => {
      const { peer, connection } = connect(heard)
      peer.onTrack((track) => connection.carry(track))
      connection.try(() => {
        peer.setRemoteDescription(withoutCandidates(sdp), 'offer')
        if (channel !== null) connection.speakBy(peer.createDataChannel(channel))
        peer.setLocalDescription('answer')
      })
      return connection
    },
  }
}

async function load(): Promise<typeof Library> {
  try {
    const library = await import('node-datachannel')
    library.initLogger('Fatal', () => undefined)
    library.setSctpSettings({ sendBufferSize: SEND_BYTES, recvBufferSize: RECEIVE_BYTES })
    return library
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new NoWebrtc(`The package node-datachannel is not installed for this machine (${why}).`)
  }
}

function listen(library: typeof Library, port: number, at: string | undefined): Library.IceUdpMuxListener {
  try {
    return new library.IceUdpMuxListener(port, at)
  } catch {
    throw new NoWebrtc(`UDP port ${port} is in use by another program.`, true)
  }
}

function trackOf(library: typeof Library, { type, parameters }: VideoFormat, ssrc: number): Library.Video {
  const video = new library.Video('v', 'SendOnly')
  video.addH264Codec(type, parameters)
  video.addSSRC(ssrc, 'vigil', 'vigil', 'vigil')
  return video
}

/** It closes in threads of its own, between two lines of ours: then it throws, and says so a moment later. */
function unlessClosed(say: () => boolean): boolean {
  try {
    return say()
  } catch {
    return false
  }
}

class Connection implements Peer {
  readonly #peer: Library.PeerConnection
  readonly #heard: PeerHeard
  readonly #onEnd: () => void
  readonly #timer: NodeJS.Timeout
  #track: Library.Track | null = null
  #channel: Library.DataChannel | null = null
  #isUp = false
  #isOver = false

  constructor(
    peer: Library.PeerConnection,
    heard: PeerHeard,
    { addresses, onEnd }: { addresses: readonly string[]; onEnd: () => void },
  ) {
    this.#peer = peer
    this.#heard = heard
    this.#onEnd = onEnd
    this.#timer = setTimeout(() => this.#down(), COMING_MS)
    peer.onGatheringStateChange((state) => {
      const sdp = peer.localDescription()?.sdp
      if (String(state) === 'complete' && sdp !== undefined && !this.#isOver)
        heard.onDescription(withAddresses(sdp, addresses))
    })
    peer.onStateChange((state) => {
      if (state === 'connected') this.#up()
      if (state === 'disconnected' || state === 'failed' || state === 'closed') this.#down()
    })
  }

  get waiting(): number {
    return this.#channel?.bufferedAmount() ?? 0
  }

  carry(track: Library.Track): void {
    this.#track = track
    track.onMessage((bytes) => {
      if (!this.#isOver) this.#heard.onPacket(bytes)
    })
  }

  speakBy(channel: Library.DataChannel): void {
    if (this.#channel !== null) return channel.close()
    this.#channel = channel
    channel.onMessage((message) => {
      if (this.#isOver) return
      this.#heard.onData(message instanceof ArrayBuffer ? Buffer.from(message) : message)
    })
  }

  /** What the library refuses ends the connection. */
  try(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.close()
      throw error
    }
  }

  accept(sdp: string): void {
    this.try(() => this.#peer.setRemoteDescription(withoutCandidates(sdp), 'answer'))
  }

  sendPacket(bytes: Buffer): void {
    const track = this.#track
    if (this.#isUp && track?.isOpen()) unlessClosed(() => track.sendMessageBinary(bytes))
  }

  sendData(message: Buffer | string): boolean {
    const channel = this.#channel
    if (!channel?.isOpen()) return false
    return unlessClosed(() =>
      typeof message === 'string' ? channel.sendMessage(message) : channel.sendMessageBinary(message),
    )
  }

  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#onEnd()
    this.#peer.close()
  }

  #up(): void {
    if (this.#isOver || this.#isUp) return
    this.#isUp = true
    clearTimeout(this.#timer)
    this.#heard.onUp()
  }

  #down(): void {
    if (this.#isOver) return
    this.close()
    this.#heard.onDown()
  }
}
