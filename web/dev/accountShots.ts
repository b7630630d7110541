import type { EmailAddress } from '@vigil/contract/emails.ts'

const emails: EmailAddress[] = [
  { id: 1, email: 'mk@example.org', verified: true, primary: true },
  {
    id: 2,
    email: 'maria.kowalska.the.third.of.her.name@workshop.example.net',
    verified: true,
    primary: false,
  },
  { id: 3, email: 'alarm@example.net', verified: false, primary: false },
]

/** What the stub says of addresses and links; null for everything else. */
export function answerAccount(path: string): { status: number; body: unknown } | null {
  if (path === '/api/v1/auth/emails/') return { status: 200, body: emails }
  if (path === '/api/v1/auth/emails/confirm/')
    return { status: 200, body: { email: 'alarm@example.net', verified: false } }
  if (path === '/api/v1/auth/password/reset/confirm/') return { status: 200, body: {} }
  if (path === '/api/v1/auth/login/')
    return { status: 400, body: { non_field_errors: ['Unable to log in with provided credentials.'] } }
  return null
}

const guest = { signedIn: false } as const

/** Addresses, a forgotten password, links from letters. */
export const accountShots = [
  { name: 'emails', path: 'accounts/email/' },
  { name: 'emails-mailless', path: 'accounts/email/', world: { mailless: true } },
  { name: 'password', path: 'accounts/password/change/' },
  { name: 'password-first', path: 'accounts/password/set/' },
  { name: 'reset', path: 'accounts/password/reset/', world: guest },
  { name: 'reset-mailless', path: 'accounts/password/reset/', world: { ...guest, mailless: true } },
  { name: 'reset-sent', path: 'accounts/password/reset/done/', world: guest },
  { name: 'reset-key', path: 'accounts/password/reset/key/1-abc/', world: guest },
  { name: 'reset-done', path: 'accounts/password/reset/key/done/', world: guest },
  { name: 'confirm-email', path: 'accounts/confirm-email/abc/', world: guest },
  { name: 'logout', path: 'accounts/logout/' },
  { name: 'inactive', path: 'accounts/inactive/', world: guest },
]
