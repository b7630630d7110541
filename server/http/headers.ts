import { createHash } from 'node:crypto'
import { readDsn } from '@vigil/contract/report.ts'
import type { Config } from '../config.ts'

/** What one page may do beyond all others (`allowOnPage`). */
export interface Allowance {
  /** Compile WebAssembly. */
  readonly wasm?: boolean
  /** Origins (`https://host:port`) that it may show in a frame, call, and connect to. */
  readonly origins?: readonly string[]
  /** Hashes of scripts that stand in it. */
  readonly scripts?: readonly string[]
  /** Hashes of styles that stand in it, and the nonce of those that it makes. */
  readonly styles?: readonly string[]
  /** No page shows it in a frame, not even ours: what is asked there is nobody's to click but the person's. */
  readonly isNeverFramed?: boolean
  /** Origins beside ours that its forms may lead to. */
  readonly formsTo?: readonly string[]
}

const words = (...all: (string | false | undefined)[]) => all.filter(Boolean).join(' ')

/**
 * Content-Security-Policy: only from and to ourselves, and what is allowed beyond. Pages may tell of their failures
 * where the operator wants it, and nowhere else.
 */
export function contentPolicy(
  config: Config,
  { wasm, origins = [], scripts = [], styles = [], isNeverFramed, formsTo = [] }: Allowance = {},
): string {
  const collector = readDsn(config.SENTRY_DSN ?? '')?.origin
  return [
    "default-src 'self'",
    words("script-src 'self'", ...scripts, wasm && "'wasm-unsafe-eval'"),
    words("style-src 'self'", ...styles),
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    words("connect-src 'self'", collector, ...origins, ...origins.map(socketsOf)),
    ...(origins.length > 0 ? [words("frame-src 'self'", ...origins)] : []),
    isNeverFramed ? "frame-ancestors 'none'" : "frame-ancestors 'self'",
    "base-uri 'self'",
    words("form-action 'self'", ...formsTo),
    "object-src 'none'",
  ].join('; ')
}

/** `https://host` as its websockets are named: `wss://host`. */
const socketsOf = (origin: string) => origin.replace(/^http/, 'ws')

/** What no page of ours asks a browser for, and nothing in one may either. */
const NEVER_ASKED = [
  'bluetooth',
  'camera',
  'display-capture',
  'geolocation',
  'hid',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
const PERMISSIONS = NEVER_ASKED.map((name) => `${name}=()`).join(', ')

/**
 * Headers of every answer. Cross-Origin-Opener-Policy is a matter of pages, over HTTPS (`openerPolicy`); HSTS is off
 * unless configured (agents speak plain HTTP on plain HTTP; docs/architecture.md).
 */
export function securityHeaders(config: Config): Record<string, string> {
  return {
    'content-security-policy': contentPolicy(config),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    ...(config.HSTS_SECONDS > 0 ? { 'strict-transport-security': `max-age=${config.HSTS_SECONDS}` } : {}),
  }
}

/** Pages that others open and wait for: an app asks for a printer, and is answered by its own window. */
const OPENED_BY_OTHERS = /^\/tunnels\/(?:new|succeeded)\/?$/

/**
 * Cross-Origin-Opener-Policy of a page: no window of others holds it; what it opens itself may answer, as agents do when a printer is
 * linked. Browsers know it over HTTPS alone, and complain elsewhere.
 */
export const openerPolicy = (path: string, origin: string): Record<string, string> =>
  !origin.startsWith('https:') || OPENED_BY_OTHERS.test(path)
    ? {}
    : { 'cross-origin-opener-policy': 'same-origin-allow-popups' }

/** Hashes of the styles that stand in a page of ours, as its Content-Security-Policy names them. */
export const styleHashes = (html: string): string[] =>
  html
    .split('<style>')
    .slice(1)
    .map((rest) =>
      createHash('sha256')
        .update(rest.slice(0, rest.indexOf('</style>')))
        .digest('base64'),
    )
    .map((hash) => `'sha256-${hash}'`)

/** A policy that lets these styles in, too. */
export const withStyles = (policy: string, styles: readonly string[]): string =>
  policy.replace("style-src 'self'", words("style-src 'self'", ...styles))
