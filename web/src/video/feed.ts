import { CLOSE } from '@vigil/contract/sockets.ts'
import { socketUrl } from '../lib/base.ts'
import { JanusViewer } from './janus.ts'
import type { Event, Reason, Sample } from './ladder.ts'
import { MjpegReader } from './mjpeg.ts'
import type { Rung } from './rungs.ts'

/** What a connection has to tell. */
export interface FeedHeard {
  onEvent: (event: Event) => void
  /** H264 comes as a stream for a video element. */
  onStream: (stream: MediaStream) => void
  /** MJPEG comes picture by picture; settles when it was shown. */
  onPicture: (jpeg: Blob) => Promise<void>
  /** What else comes over the data channel. */
  onData: (data: Uint8Array) => void
  onUp: (leftMs: number | null) => void
  onRest: (leftMs: number) => void
}

interface FeedOptions {
  /** Of the socket that leads to the printer's gateway. */
  path: string
  /** `data`: no picture at all. */
  rung: Rung | { kind: 'data'; streamId: number }
}

/** How often is counted, before there is a picture and then. */
const FIRST_MS = 250
const THEN_MS = 1000
/** By this name gateways find the viewer's data channel (docs/wire/agents.md 4.4). */
const CHANNEL = 'JanusDataChannel'
/** A way over which nothing was heard for so long may be gone. */
const HEARD_MS = 5_000

/** One connection to one stream, from the socket to the picture. What went wrong is told once, as an event. */
export class Feed {
  readonly #heard: FeedHeard
  readonly #kind: FeedOptions['rung']['kind']
  readonly #socket: WebSocket
  readonly #viewer: JanusViewer
  readonly #reader = new MjpegReader()
  /** Made while the gateway is being asked: the first one of a page takes a browser a while. */
  readonly #peer = new RTCPeerConnection()
  #isOffered = false
  #channel: RTCDataChannel | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false
  #frames = 0
  #bytes = 0
  #isPainting = false
  #next: Blob | null = null
  #heardAt = -Infinity

  constructor({ path, rung }: FeedOptions, heard: FeedHeard) {
    this.#heard = heard
    this.#kind = rung.kind
    this.#socket = new WebSocket(socketUrl(path), 'janus-protocol')
    this.#viewer = new JanusViewer((text) => this.#say(text), {
      onOffer: (sdp, iceServers) => void this.#connect(sdp, iceServers).catch(() => this.#fail('lost')),
      onCandidate: (candidate) => void this.#peer.addIceCandidate(candidate).catch(() => undefined),
      onUp: (leftMs) => heard.onUp(leftMs),
      onRest: (leftMs) => heard.onRest(leftMs),
      onOver: (reason) => this.#fail(reason),
    })
    this.#socket.addEventListener('open', () => {
      heard.onEvent({ type: 'reached' })
      this.#viewer.watch(rung.streamId, rung.kind === 'h264')
    })
    this.#socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') this.#viewer.hear(data)
    })
    this.#socket.addEventListener('close', ({ code }) => this.#fail(reasonOf(code)))
  }

  /** Says something over the data channel; false where it can't be heard at once. */
  send(text: string): boolean {
    const channel = this.#channel
    const isHeard = performance.now() - this.#heardAt < HEARD_MS
    if (channel?.readyState !== 'open' || channel.bufferedAmount > 0 || !isHeard) return false
    channel.send(text)
    return true
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#viewer.close()
    this.#peer.close()
    this.#socket.close()
  }

  #say(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text)
  }

  #fail(reason: Reason): void {
    if (this.#isClosed) return
    this.close()
    this.#heard.onEvent({ type: 'failed', reason })
  }

  async #connect(sdp: string, iceServers: RTCIceServer[]): Promise<void> {
    if (this.#isOffered) return
    this.#isOffered = true
    const peer = this.#peer
    peer.setConfiguration({ iceServers })
    peer.addEventListener('icecandidate', ({ candidate }) =>
      this.#viewer.trickle(candidate?.candidate ? candidate.toJSON() : null),
    )
    peer.addEventListener('track', ({ track, streams }) =>
      this.#heard.onStream(streams[0] ?? new MediaStream([track])),
    )
    peer.addEventListener('datachannel', ({ channel }) => this.#hearChannel(channel))
    await peer.setRemoteDescription({ type: 'offer', sdp })
    if (sdp.includes('m=application')) {
      // Without one of the viewer's own nothing ever comes, and nobody says why.
      this.#channel = peer.createDataChannel(CHANNEL, { ordered: true })
      this.#hearChannel(this.#channel)
    }
    const answer = await peer.createAnswer()
    await peer.setLocalDescription(answer)
    if (this.#isClosed) return
    this.#heard.onEvent({ type: 'offered' })
    this.#viewer.answer(answer.sdp ?? '')
    this.#count()
  }

  #hearChannel(channel: RTCDataChannel): void {
    channel.binaryType = 'arraybuffer'
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : null
      const message = bytes ?? (typeof data === 'string' ? data : '')
      this.#bytes += message.length
      this.#heardAt = performance.now()
      if (this.#kind !== 'mjpeg') return bytes ? this.#heard.onData(bytes) : undefined
      const jpeg = this.#reader.push(message)
      if (jpeg) void this.#paint(new Blob([jpeg], { type: 'image/jpeg' }))
    })
  }

  /** The latest picture wins: what came while another was being shown is not shown after it. */
  async #paint(jpeg: Blob): Promise<void> {
    this.#next = jpeg
    if (this.#isPainting) return
    this.#isPainting = true
    try {
      while (this.#next !== null && !this.#isClosed) {
        const next: Blob = this.#next
        this.#next = null
        await this.#heard.onPicture(next).then(
          () => this.#frames++,
          () => undefined,
        )
      }
    } finally {
      this.#isPainting = false
    }
  }

  #count(): void {
    if (this.#isClosed) return
    void this.#sample().then((sample) => {
      if (this.#isClosed) return
      this.#heard.onEvent({ type: 'sample', sample })
      this.#timer = setTimeout(() => this.#count(), sample.frames > 0 ? THEN_MS : FIRST_MS)
    })
  }

  async #sample(): Promise<Sample> {
    const peer = this.#peer
    const { video, rttMs } = read(await peer.getStats())
    const connected = peer.connectionState === 'connected'
    if (this.#kind === 'h264') return { ...video, rttMs, connected }
    return {
      frames: this.#frames,
      bytes: this.#bytes,
      lost: 0,
      dropped: this.#reader.dropped,
      rttMs,
      connected,
    }
  }
}

function reasonOf(code: number): Reason {
  if (code === CLOSE.agentAway) return 'nobody'
  return code === CLOSE.full || code === CLOSE.slow ? 'busy' : 'lost'
}

function read(stats: RTCStatsReport) {
  const video = { frames: 0, bytes: 0, lost: 0, dropped: 0 }
  let rttMs: number | null = null
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  stats.forEach((each: Record<string, unknown>) => {
    if (each['type'] === 'inbound-rtp' && each['kind'] === 'video') {
      video.frames = number(each['framesDecoded'])
      video.bytes = number(each['bytesReceived'])
      video.lost = number(each['packetsLost'])
      video.dropped = number(each['framesDropped'])
    }
    if (each['type'] === 'candidate-pair' && each['nominated'] === true && each['state'] === 'succeeded')
      rttMs = number(each['currentRoundTripTime']) * 1000
  })
  return { video, rttMs }
}
