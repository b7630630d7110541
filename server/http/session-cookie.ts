import type { FastifyReply } from 'fastify'
import type { Edge } from './edge.ts'

export const SESSION_COOKIE = 'tsd_sessionid'

/** Host-only, out of scripts' reach, below our prefix only, and only over TLS where there is TLS (issue 3, part 2). */
const attributesFor = (edge: Edge) => ({
  path: `${edge.prefix}/`,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: edge.origin.startsWith('https:'),
})

/** Hands the session's token to the browser; without `maxAgeSeconds` until it closes. */
export function setSessionCookie(
  reply: FastifyReply,
  edge: Edge,
  token: string,
  maxAgeSeconds: number | null,
): void {
  const lasting = maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds }
  reply.setCookie(SESSION_COOKIE, token, { ...attributesFor(edge), ...lasting })
}

export function clearSessionCookie(reply: FastifyReply, edge: Edge): void {
  reply.clearCookie(SESSION_COOKIE, attributesFor(edge))
}
