import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serverPage } from '../../../http/page.ts'
import { oldPage } from '../../../http/pages.ts'
import { wordIn } from '../../../http/words.ts'

const LOGOUT = '/accounts/logout/'
const LOGIN = '/accounts/login/'

/** Addresses of old, and what now stands in their place (docs/rules/people.md 12). */
const MOVED = [
  ['/accounts/social/connections/', '/user_preferences/security/'],
  // A token that another page hands over is not looked at: it is bound to no browser. The provider is asked anew.
  ['/accounts/google/login/token/', '/accounts/google/login/'],
  ['/accounts/apple/login/callback/finish/', '/accounts/apple/login/'],
  ['/o/applications/', '/user_preferences/authorized_apps/'],
  ['/o/authorized_tokens/', '/user_preferences/authorized_apps/'],
] as const

/** A path of ours; else where one signs in. */
const nextOf = (word: string) => (/^\/(?![/\\])[^\0-\x20\\]{0,1000}$/.test(word) ? word : LOGIN)

/**
 * Whether somebody has followed a link of our own pages. A picture or frame of theirs has not, nor what a browser fetches before it is
 * wanted; a neighbour on a sub-domain is somebody else (docs/rules/people.md 12).
 */
function isFollowed({ headers, edge }: Pick<FastifyRequest, 'headers' | 'edge'>): boolean {
  if (headers['sec-purpose'] !== undefined || headers['purpose'] !== undefined) return false
  const { referer, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers
  if (site !== undefined && (site !== 'same-origin' || mode !== 'navigate' || dest !== 'document'))
    return false
  // Who loads again what they typed is of our origin by then, but comes from no page of ours.
  const from = referer === undefined ? null : URL.parse(referer)
  return from?.origin === edge.origin && !from.pathname.endsWith(LOGOUT)
}

/** Old addresses lead on; the one that signs out does so for a link of our own pages, and asks everybody else. */
export function oldPages(
  app: FastifyInstance,
  signOut: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  for (const [from, to] of MOVED) oldPage(app, from, to)
  const leave = async (request: FastifyRequest, reply: FastifyReply) => {
    await signOut(request, reply)
    return reply.redirect(`${request.edge.prefix}${nextOf(wordIn(request.query, 'next', 1000))}`, 303)
  }
  serverPage(app, { path: LOGOUT, callers: ['anyone'] }, (request, reply) =>
    isFollowed(request) ? leave(request, reply) : app.showPage(request, reply),
  )
  serverPage(app, { method: 'POST', path: LOGOUT, callers: ['anyone'] }, leave)
}
