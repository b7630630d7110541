import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits as text, for a cookie, a header or an address. */
export const newToken = () => randomBytes(32).toString('base64url')

/** What is stored of a token: it has full entropy, a fast hash is enough. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** The same as text, in keys. */
export const digestOf = (token: string) => hashOf(token).toString('base64url')

/** Whether a word is the right one, whatever its characters; how long that takes tells nothing of it. */
export function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Signs a stored file's path (without any address or prefix before it) until `expiresAt`, in seconds since 1970:
 * HMAC-SHA256, base64url.
 */
export function signMedia(secret: string, path: string, expiresAt: number): string {
  return createHmac('sha256', secret).update(`media\n${expiresAt}\n${path}`).digest('base64url')
}

/** True when `digest` is the signature of exactly this and `now` (milliseconds) is not past it. */
export function verifyMedia(
  secret: string,
  { path, expiresAt, digest, now }: { path: string; expiresAt: number; digest: string; now: number },
): boolean {
  if (!Number.isSafeInteger(expiresAt)) return false
  return isSame(digest, signMedia(secret, path, expiresAt)) && now < expiresAt * 1_000
}
