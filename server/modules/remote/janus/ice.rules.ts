import { createHmac } from 'node:crypto'
import type { IceServer } from '@vigil/contract/remote/video.ts'
import type { Config } from '../../../config.ts'

type Settings = Pick<Config, 'STUN_URLS' | 'TURN_URLS' | 'TURN_SECRET' | 'TURN_USERNAME' | 'TURN_PASSWORD'>

/** Whoever has been given them may use the relay for so long. */
const GOOD_FOR_SECONDS = 3_600

/**
 * What a viewer's `RTCPeerConnection` gets; none unless the operator has named some. `id` stands in the name of a relay's user, so that
 * its log tells viewers apart; never a token of anybody (docs/self-hosting.md, Video).
 */
export function iceServersFor(settings: Settings, now: number, id: string): IceServer[] {
  const { STUN_URLS: stun, TURN_URLS: turn } = settings
  return [
    ...(stun.length > 0 ? [{ urls: stun }] : []),
    ...(turn.length > 0 ? [{ urls: turn, ...credentialOf(settings, now, id) }] : []),
  ]
}

/** As coturn's `use-auth-secret` counts it, or what the operator has given to all. */
function credentialOf({ TURN_SECRET, TURN_USERNAME, TURN_PASSWORD }: Settings, now: number, id: string) {
  if (TURN_SECRET === undefined) return { username: TURN_USERNAME ?? '', credential: TURN_PASSWORD ?? '' }
  const username = `${Math.floor(now / 1000) + GOOD_FOR_SECONDS}:${id}`
  return { username, credential: createHmac('sha1', TURN_SECRET).update(username).digest('base64') }
}
