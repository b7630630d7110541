import { createHmac, timingSafeEqual } from 'node:crypto'

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
  const expected = Buffer.from(signMedia(secret, path, expiresAt))
  const given = Buffer.from(digest)
  return given.length === expected.length && timingSafeEqual(given, expected) && now < expiresAt * 1_000
}
