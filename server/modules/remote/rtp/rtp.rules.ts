/** RTP and RTCP, as far as one who passes H264 on has to read them (RFC 3550, 4585, 6184). */
export interface Rtp {
  readonly seq: number
  readonly ts: number
  /** The first packet of a picture that needs no other, or of what one needs to read it. */
  readonly startsKey: boolean
}

export const isRtcp = (bytes: Buffer): boolean =>
  bytes.length >= 8 && byte(bytes, 1) >= 192 && byte(bytes, 1) <= 223

/** Null for what is none, or broken. */
export function readRtp(bytes: Buffer): Rtp | null {
  if (bytes.length < 12 || byte(bytes, 0) >> 6 !== 2) return null
  let at = 12 + 4 * (byte(bytes, 0) & 15)
  if ((byte(bytes, 0) & 16) !== 0) {
    if (bytes.length < at + 4) return null
    at += 4 + 4 * bytes.readUInt16BE(at + 2)
  }
  if (at > bytes.length) return null
  const payload = bytes.subarray(at)
  return { seq: bytes.readUInt16BE(2), ts: bytes.readUInt32BE(4), startsKey: startsKey(payload) }
}

const NAL = { key: 5, parameters: 7, aggregate: 24, fragment: 28 } as const
const kindOf = (first: number) => first & 31
const isKey = (kind: number) => kind === NAL.key || kind === NAL.parameters

function startsKey(payload: Buffer): boolean {
  if (payload.length < 2) return false
  const kind = kindOf(byte(payload, 0))
  if (isKey(kind)) return true
  if (kind === NAL.fragment) return (byte(payload, 1) & 128) !== 0 && isKey(kindOf(byte(payload, 1)))
  if (kind !== NAL.aggregate) return false
  for (let at = 1; at + 2 < payload.length; at += 2 + payload.readUInt16BE(at))
    if (isKey(kindOf(byte(payload, at + 2)))) return true
  return false
}

/** Writes another header into a packet, in place. */
export function addressRtp(
  bytes: Buffer,
  { seq, ts, ssrc, type }: { seq: number; ts: number; ssrc: number; type: number },
): void {
  bytes[1] = (byte(bytes, 1) & 128) | type
  bytes.writeUInt16BE(seq & 0xffff, 2)
  bytes.writeUInt32BE(ts >>> 0, 4)
  bytes.writeUInt32BE(ssrc, 8)
}

/** What a viewer says of what they got: which packets are missing, whether they can't go on without a whole picture. */
export interface Feedback {
  readonly missing: readonly number[]
  readonly wantsKey: boolean
}
const MOST_MISSING = 256
const KIND = { transport: 205, payload: 206 } as const

/** Reads a datagram of RTCP, whatever is in it. */
export function readFeedback(bytes: Buffer): Feedback {
  const missing: number[] = []
  let wantsKey = false
  for (let at = 0; at + 12 <= bytes.length;) {
    const [format, kind] = [byte(bytes, at) & 31, byte(bytes, at + 1)]
    const end = at + 4 + 4 * bytes.readUInt16BE(at + 2)
    // Picture loss, and "full intra request".
    if (kind === KIND.payload && (format === 1 || format === 4)) wantsKey = true
    if (kind === KIND.transport && format === 1)
      for (let i = at + 12; i + 4 <= Math.min(end, bytes.length); i += 4) missing.push(...named(bytes, i))
    at = end
  }
  return { missing: missing.slice(0, MOST_MISSING), wantsKey }
}

/** A packet and some of the sixteen behind it. */
function named(bytes: Buffer, at: number): number[] {
  const first = bytes.readUInt16BE(at)
  const mask = bytes.readUInt16BE(at + 2)
  const others = Array.from({ length: 16 }, (_, bit) => bit).filter((bit) => (mask >> bit) & 1)
  return [first, ...others.map((bit) => (first + bit + 1) & 0xffff)]
}

function feedback(
  kind: number,
  { format, to, body }: { format: number; to: number; body: readonly number[] },
): Buffer {
  const bytes = Buffer.alloc(12 + 4 * body.length)
  bytes[0] = 128 | format
  bytes[1] = kind
  bytes.writeUInt16BE(2 + body.length, 2)
  // From anybody: who only listens has no number.
  bytes.writeUInt32BE(1, 4)
  bytes.writeUInt32BE(to, 8)
  for (const [i, word] of body.entries()) bytes.writeUInt32BE(word >>> 0, 12 + 4 * i)
  return bytes
}

/** Asks for a picture that needs no other. */
export const askForKey = (to: number): Buffer => feedback(KIND.payload, { format: 1, to, body: [] })

/** Asks for packets once more. */
export const askAgain = (to: number, seqs: readonly number[]): Buffer =>
  feedback(KIND.transport, { format: 1, to, body: seqs.map((seq) => (seq & 0xffff) * 65_536) })

const byte = (bytes: Buffer, at: number): number => bytes[at] ?? 0
