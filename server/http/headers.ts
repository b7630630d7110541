import { readDsn } from '@vigil/contract/report.ts'
import type { Config } from '../config.ts'

/** Only from and to ourselves; pages may tell of their failures where the operator wants it, and nowhere else. */
const policy = (collector: string) => [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  `connect-src 'self'${collector && ` ${collector}`}`,
  "frame-ancestors 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "object-src 'none'",
]

/**
 * Headers of every answer. Cross-Origin-Opener-Policy stays off (the linking pop-up needs window.opener) and so
 * does HSTS unless configured (agents speak plain HTTP on plain HTTP; docs/architecture.md).
 */
export function securityHeaders(config: Config): Record<string, string> {
  const collector = readDsn(config.SENTRY_DSN ?? '')
  return {
    'content-security-policy': policy(collector?.origin ?? '').join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'same-origin',
    ...(config.HSTS_SECONDS > 0 ? { 'strict-transport-security': `max-age=${config.HSTS_SECONDS}` } : {}),
  }
}
