/** What is carried to one who looks, as a session description names it. */
export interface VideoFormat {
  /** RTP's payload type. */
  readonly type: number
  /** `profile-level-id=42e01f;packetization-mode=1`. */
  readonly parameters: string
}

/** What a peer has to tell. Nothing of it throws. */
export interface PeerHeard {
  /** Our half of the agreement, with our addresses: to be brought to the other side. */
  onDescription: (sdp: string) => void
  onUp: () => void
  /** It is over, or never was. Told once, and never after `close`. */
  onDown: () => void
  /** RTP or RTCP, as it came. */
  onPacket: (bytes: Buffer) => void
  onData: (message: Buffer | string) => void
}

/** One connection of WebRTC. */
export interface Peer {
  /** The other side's answer to our offer. Raises an error when it can't be used. */
  accept(sdp: string): void
  /** RTP or RTCP; what cannot leave at once is lost, as on any line. */
  sendPacket(bytes: Buffer): void
  /** Over the data channel that the other side has opened; false before it has. */
  sendData(message: Buffer | string): boolean
  /** Bytes that were said over the data channel and have not left. */
  readonly waiting: number
  close(): void
}

/** Connections of WebRTC, all at one UDP port. Nobody is called: the other side comes to our addresses, or it does not come. */
export interface Webrtc {
  /** Offers video, a data channel, or both. Raises an error when there are too many. */
  offer(media: { video: VideoFormat | null; hasData: boolean; ssrc: number }, heard: PeerHeard): Peer
  /** Answers an offer of pictures. `channel`: what we open in it. */
  answer(sdp: string, channel: string | null, heard: PeerHeard): Peer
}

/** Why there can be no connections here, in a sentence. */
export class NoWebrtc extends Error {
  override readonly name = 'NoWebrtc'
  /** Another try may help. */
  readonly mayPass: boolean

  constructor(why: string, mayPass = false) {
    super(why)
    this.mayPass = mayPass
  }
}
