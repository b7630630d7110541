/** What is said on a stream: `data` carries a frame, `beat` says that one lives and what one has read; `end` is the
 * last, and `lost` says that something of the other side has not arrived. */
export const KIND = { data: 0, beat: 1, end: 2, lost: 3 } as const

export interface Packet {
  readonly kind: (typeof KIND)[keyof typeof KIND]
  /** Frames that the sender has sent so far, this one included: who has heard fewer has lost some. */
  readonly frames: number
  /** Bytes of the other side that the sender has read so far: its credit. */
  readonly read: number
  readonly body?: Buffer | undefined
}

const HEAD = 13

export function encode({ kind, frames, read, body }: Packet): Buffer {
  const packet = Buffer.allocUnsafe(HEAD + (body?.length ?? 0))
  packet.writeUInt8(kind, 0)
  packet.writeUInt32BE(frames % 2 ** 32, 1)
  packet.writeDoubleBE(read, 5)
  body?.copy(packet, HEAD)
  return packet
}

/** The body shares the message's memory. */
export function decode(message: Buffer): Packet {
  const kind = message.readUInt8(0) as Packet['kind']
  return {
    kind,
    frames: message.readUInt32BE(1),
    read: message.readDoubleBE(5),
    ...(kind === KIND.data && { body: message.subarray(HEAD) }),
  }
}
