import { createDecipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto'

/** A browser that a push service knows: its address there, and the keys that only it has. */
export interface TestBrowser {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** What a message says, as the browser decrypts it. */
  read(body: Buffer): any
}

const hmac = (key: Buffer, ...parts: Buffer[]) =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest()

/** HKDF with one block of output (RFC 5869). */
const derive = (salt: Buffer, secret: Buffer, info: Buffer, length: number) =>
  hmac(hmac(salt, secret), info, Buffer.from([1])).subarray(0, length)

/** Decrypts aes128gcm (RFC 8188) as RFC 8291 keys it: written by their texts, not by the library that encrypts. */
function decrypt(body: Buffer, ecdh: ECDH, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16)
  const idLength = body[20] ?? 0
  const sender = body.subarray(21, 21 + idLength)
  const sealed = body.subarray(21 + idLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = derive(auth, ecdh.computeSecret(sender), info, 32)
  const key = derive(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12)
  const opened = createDecipheriv('aes-128-gcm', key, nonce)
  opened.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()])
  // The last record ends with 2 and padding.
  return padded.subarray(0, padded.lastIndexOf(2))
}

/** A browser that has subscribed at this address of its push service's. */
export function aBrowser(endpoint: string): TestBrowser {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const auth = randomBytes(16)
  return {
    endpoint,
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
    read: (body) => JSON.parse(decrypt(body, ecdh, auth).toString()) as unknown,
  }
}
