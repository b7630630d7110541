import { describe, expect, it } from 'vitest'
import { Incoming } from '../rtp/incoming.ts'
import { mediaOf, onlyFormat } from './offer.rules.ts'
import { Outgoing } from '../rtp/outgoing.ts'
import { Pictures } from '../rtp/pictures.rules.ts'
import { isRtcp, readFeedback, readRtp } from '../rtp/rtp.rules.ts'

const SPS = [0x67, 0x42]
const KEY_FRAGMENT = [0x7c, 0x85]
const DELTA = [0x41, 0x9a]

function rtp(seq: number, ts: number, payload: readonly number[]): Buffer {
  const bytes = Buffer.alloc(12 + payload.length)
  bytes[0] = 0x80
  bytes[1] = 96
  bytes.writeUInt16BE(seq & 0xffff, 2)
  bytes.writeUInt32BE(ts, 4)
  bytes.writeUInt32BE(7, 8)
  bytes.set(payload, 12)
  return bytes
}

/** Picture loss; or packets that are missing, each alone. */
function says(...missing: number[]): Buffer {
  const bytes = Buffer.alloc(12 + 4 * missing.length)
  bytes[0] = 0x81
  bytes[1] = missing.length > 0 ? 205 : 206
  bytes.writeUInt16BE(2 + missing.length, 2)
  for (const [i, seq] of missing.entries()) bytes.writeUInt32BE(seq * 65_536, 12 + 4 * i)
  return bytes
}

/** A camera with viewers; every tenth picture is whole, each has two packets. */
function studio(first = 65_530) {
  let now = 0
  let seq = first
  const toCamera: Buffer[] = []
  const incoming = new Incoming((rtcp) => toCamera.push(rtcp))
  const viewers: Outgoing[] = []
  const film = (pictures: number, isLost: (packet: number) => boolean = () => false) => {
    for (let i = 0; i < pictures; i++, now += 40) {
      const isWhole = ((seq - first) / 2) % 10 === 0
      for (const payload of isWhole ? [SPS, KEY_FRAGMENT] : [DELTA, DELTA]) {
        const packet = isLost(seq - first) ? null : incoming.take(rtp(seq, now * 90, payload), now)
        seq++
        if (packet) for (const viewer of viewers) viewer.take(packet)
      }
    }
  }
  const join = () => {
    const got: { seq: number; ts: number; isKey: boolean }[] = []
    const send = (bytes: Buffer) => {
      const { seq: at, ts, startsKey } = readRtp(bytes)!
      got.push({ seq: at, ts, isKey: startsKey })
    }
    const viewer = new Outgoing(incoming, { ssrc: 9, type: 97, send, now: () => now })
    viewers.push(viewer)
    viewer.begin()
    return { viewer, got, seqs: () => got.map(({ seq: at }) => at) }
  }
  return { film, join, toCamera, incoming, wait: (ms: number) => (now += ms) }
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

describe('one who looks', () => {
  it('gets all since the last whole picture at once, in a hurry, and then what comes', () => {
    const { film, join } = studio()
    film(13)
    const { got, seqs } = join()
    expect(seqs()).toEqual(upTo(6))
    expect(got[0]?.isKey).toBe(true)
    const times = [...new Set(got.map(({ ts }) => ts))]
    expect(times.slice(1).map((ts, i) => ts - times[i]!)).toEqual([90, 90])
    film(2)
    expect(seqs()).toEqual(upTo(10))
    expect(got.at(-1)!.ts - got[5]!.ts).toBe(2 * 3_600)
  })

  it('waits for a whole picture where none is kept', () => {
    const { film, join, toCamera, incoming } = studio()
    expect(incoming.backlog).toEqual([])
    film(5, () => false)
    const early = studio()
    const { seqs } = early.join()
    expect(early.toCamera).toHaveLength(1)
    early.film(1, () => true)
    early.film(12)
    // The first whole one was lost: from the second on.
    expect(seqs()).toEqual(upTo(6))
    expect(toCamera).toEqual([])
    expect(join().seqs()).toEqual(upTo(10))
  })

  it('sees a hole where the camera’s line has one, and gets what comes late', () => {
    const { film, join, incoming, toCamera } = studio(100)
    const { viewer, seqs } = join()
    film(10, (packet) => packet === 7)
    expect(seqs()).toEqual([...upTo(7), ...upTo(20).slice(8)])
    // The picture that is asked for when nothing is there, and the packet.
    expect(toCamera.map((bytes) => readFeedback(bytes))).toContainEqual({ missing: [107], wantsKey: false })
    const late = incoming.take(rtp(107, 4_800, DELTA), 500)
    viewer.take(late!)
    expect(seqs().at(-1)).toBe(8)
    expect(incoming.take(rtp(107, 4_800, DELTA), 500)).toBeNull()
    viewer.hear(says(3, 4))
    expect(seqs().slice(-2)).toEqual([3, 4])
  })

  it('who cannot go on gets nothing until a whole picture; the camera is asked for one twice a second at most', () => {
    const { film, join, toCamera } = studio(100)
    const [slow, other] = [join(), join()]
    film(15)
    const before = toCamera.length
    for (let i = 0; i < 20; i++) slow.viewer.hear(says())
    expect(toCamera.slice(before).map((bytes) => readFeedback(bytes).wantsKey)).toEqual([true])
    expect(slow.seqs()).toEqual(upTo(30))
    film(4)
    expect(slow.seqs()).toEqual(upTo(30))
    expect(other.seqs()).toEqual(upTo(38))
    film(2)
    // No hole: what was left out is not asked for.
    expect(slow.seqs()).toEqual(upTo(32))
    expect(slow.got[30]?.isKey).toBe(true)
  })

  it('goes on with a camera that begins anew', () => {
    const { film, join, incoming } = studio(100)
    const { viewer, seqs } = join()
    film(10)
    for (const [i, payload] of [DELTA, SPS, KEY_FRAGMENT, DELTA].entries())
      viewer.take(incoming.take(rtp(40_000 + i, 90 * i, payload), 1_000)!)
    expect(seqs()).toEqual(upTo(23))
  })
})

it('a thousand broken packets are nothing', () => {
  const { incoming, join, film } = studio(100)
  const { viewer } = join()
  film(1)
  for (let i = 0; i < 1_000; i++) {
    const bytes = Buffer.from(
      Array.from({ length: i % 40 }, (_, at) => (i * 31 + at * 17 + (at === 0 ? 0x80 : 0)) & 255),
    )
    if (isRtcp(bytes)) viewer.hear(bytes)
    const packet = incoming.take(bytes, i)
    if (packet) viewer.take(packet)
    readFeedback(bytes)
  }
})

it('pictures of a data channel are told from statuses', () => {
  const pictures = new Pictures()
  const said = ['x', '\r\n6:4\r\n', 'abcd', 'ef', Buffer.from('status'), '\r\n4:3\r\nabcd', 'status']
  expect(said.map((message) => pictures.next(message))).toEqual([
    'alone',
    'begins',
    'goes on',
    'goes on',
    'alone',
    'begins',
    'alone',
  ])
})

it('of an offer H264 alone is taken, without streams of what is sent again', () => {
  const lines = [
    'v=0',
    'm=video 9 UDP/TLS/RTP/SAVPF 96 97',
    'a=rtpmap:96 H264/90000',
    'a=fmtp:96 profile-level-id=42e01f;packetization-mode=1',
    'a=rtcp-fb:96 nack',
    'a=rtpmap:97 rtx/90000',
    'a=fmtp:97 apt=96',
    'a=ssrc-group:FID 1 2',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    '',
  ]
  const media = mediaOf(lines.join('\r\n'))
  expect(media).toEqual({
    video: { type: 96, parameters: 'profile-level-id=42e01f;packetization-mode=1' },
    hasData: true,
  })
  const kept = lines.filter((_, i) => i < 5 || i > 7)
  kept[1] = 'm=video 9 UDP/TLS/RTP/SAVPF 96'
  expect(onlyFormat(lines.join('\r\n'), media).split('\r\n')).toEqual(kept)
  expect(mediaOf('v=0\r\nm=video 9 X 100\r\na=rtpmap:100 VP8/90000\r\n')).toEqual({
    video: null,
    hasData: false,
  })
})
