import { fieldsOf } from '@vigil/contract/fields.ts'
import { createHmac, randomBytes } from 'node:crypto'
import { type SharedPrinter, sharedWebcam, type SharedWebcam } from '@vigil/contract/remote/sharing.ts'
import { isSame } from '../../../lib/signing.ts'

/** A share token: 36 lower-case hex characters (docs/wire/rest.md 5), 144 random bits. */
export const newShareToken = () => randomBytes(18).toString('hex')

/** What cannot be a share token is not looked for. */
export const isShareToken = (value: string) => /^[0-9a-f]{36}$/.test(value)

/** A viewer who knows the PIN types it again after this long. */
export const VIEWER_TTL_MS = 12 * 3_600_000
/** Its browser shows for this long that it knew the PIN: then it is not kept out by strangers who guess. */
export const VIEWER_KNOWN_MS = 30 * 24 * 3_600_000

/** One cookie for each link; its name says nothing of the token's rest. */
export const viewerCookie = (shareToken: string) => `tsd_viewer_${shareToken.slice(0, 8)}` as const

interface Locked {
  readonly id: number
  readonly pinHash: string | null
}

const signatureOf = (secret: string, link: Locked, expiresAt: number) =>
  createHmac('sha256', secret).update(`viewer\n${link.id}\n${link.pinHash}\n${expiresAt}`).digest('base64url')

/** What a viewer's cookie holds after the right PIN: it ends by itself, and with the PIN. */
export function viewerPass(secret: string, link: Locked, expiresAt: number): string {
  return `${expiresAt}.${signatureOf(secret, link, expiresAt)}`
}

/** True when the link needs no PIN, or the pass was given for this very PIN and still counts. */
export function isUnlocked(secret: string, link: Locked, pass: string | undefined, now: number): boolean {
  return link.pinHash === null || now < endOfPass(secret, link, pass)
}

/** True for a pass that was given for this very PIN, also when it counts no more. */
export const hadPass = (secret: string, link: Locked, pass: string | undefined) =>
  endOfPass(secret, link, pass) > 0

/** Until when a pass counts; 0 for one that we never gave. */
function endOfPass(secret: string, link: Locked, pass = ''): number {
  const [expires = '', signature = ''] = pass.split('.')
  const expiresAt = Number(expires)
  if (!Number.isSafeInteger(expiresAt)) return 0
  return isSame(signature, signatureOf(secret, link, expiresAt)) ? expiresAt : 0
}

/** Field by field: an agent's odd value drops out alone, and addresses of its network never pass. */
function reduceWebcam(webcam: unknown): SharedWebcam {
  const fields = Object.entries(sharedWebcam.shape).flatMap(([name, type]) => {
    const value = type.safeParse(fieldsOf(webcam)[name])
    return value.success && value.data !== undefined ? [[name, value.data]] : []
  })
  return Object.fromEntries(fields) as SharedWebcam
}

/** Of a printer's shown settings what a viewer needs to play its video (docs/rules/remote.md 1). */
export function reduceSettings(settings: Record<string, unknown>): SharedPrinter['settings'] {
  const { webcams } = settings
  return {
    ...(Array.isArray(webcams) ? { webcams: webcams.map(reduceWebcam) } : {}),
    data_channel_id: String(settings['data_channel_id'] ?? ''),
    ratio169: settings['ratio169'] === true,
    webcam_flipV: settings['webcam_flipV'] === true,
    webcam_flipH: settings['webcam_flipH'] === true,
    webcam_rotation: Number(settings['webcam_rotation'] ?? 0),
    webcam_rotate90: settings['webcam_rotate90'] === true,
    webcam_streamRatio: String(settings['webcam_streamRatio'] ?? '16:9'),
  }
}
