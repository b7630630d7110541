import type { FastifyReply } from 'fastify'
import type { OurCookie } from '../lib/cookies.ts'
import type { Edge } from './edge.ts'

const isSecure = ({ origin }: Edge) => origin.startsWith('https:')

/** Host-only, out of scripts' reach, below our prefix only, and only over TLS where there is TLS (docs/self-hosting.md). */
const attributesFor = (edge: Edge) => ({
  path: `${edge.prefix}/`,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: isSecure(edge),
})

/** Gives the browser a cookie; without `maxAgeSeconds` until it closes. The one way to do so: others are not called as ours are. */
export function giveCookie(
  reply: FastifyReply,
  edge: Edge,
  { name, value, maxAgeSeconds = null }: { name: OurCookie; value: string; maxAgeSeconds?: number | null },
): void {
  const lasting = maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds }
  reply.setCookie(name, value, { ...attributesFor(edge), ...lasting })
}

export function takeCookie(reply: FastifyReply, edge: Edge, name: OurCookie): void {
  reply.clearCookie(name, attributesFor(edge))
}
