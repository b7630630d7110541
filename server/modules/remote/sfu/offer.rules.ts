import type { VideoFormat } from '../../../engines/webrtc/port.ts'

/** What a Janus offers of a camera. */
export interface Media {
  readonly video: VideoFormat | null
  readonly hasData: boolean
}

/** `profile-level-id=42e01f;packetization-mode=1` and the like, with nothing else in them. */
const PARAMETERS = /^[\w=;,+/ -]{1,300}$/
const USUAL = 'profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1'

/** Reads a Janus' offer: H264 alone is passed on as video, as no agent sends another. */
export function mediaOf(sdp: string): Media {
  const [, ...sections] = sdp.split(/^m=/m)
  const video = sections.find((section) => section.startsWith('video '))
  const hasData = sections.some((section) => section.startsWith('application '))
  return { video: video === undefined ? null : formatOf(video), hasData }
}

function formatOf(section: string): VideoFormat | null {
  const type = /^a=rtpmap:(\d{2,3}) H264\/90000\r?$/im.exec(section)?.[1]
  if (type === undefined || Number(type) > 127) return null
  const says = `a=fmtp:${type} `
  const given =
    section
      .split(/\r?\n/)
      .find((line) => line.startsWith(says))
      ?.slice(says.length) ?? ''
  return { type: Number(type), parameters: PARAMETERS.test(given) ? given : USUAL }
}

/**
 * The offer without what we would have to unpack: packets that are sent again in a stream of their own (RTX), and other
 * formats than the one that is passed on.
 */
export function onlyFormat(sdp: string, { video }: Media): string {
  if (video === null) return sdp
  const isOther = (line: string) =>
    /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+|\*)/.exec(line)?.[1] !== undefined &&
    !line.includes(`:${video.type} `) &&
    !line.includes(':* ')
  return sdp
    .split('\r\n')
    .filter((line) => !isOther(line) && !/^a=(?:ssrc-group|extmap|rid|simulcast)[:-]/.test(line))
    .map((line) => line.replace(/^(m=video \d+ \S+) .*$/, `$1 ${video.type}`))
    .join('\r\n')
}
