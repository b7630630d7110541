import { fieldsOf } from '@vigil/contract/fields.ts'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { BadPath } from '../../../engines/files/paths.ts'
import type { Container, MediaRef } from '../../../engines/files/port.ts'
import { forbidden, notFound } from '../../../http/errors.ts'
import { type Content, stream } from '../../../http/stream.ts'
import { byKnownKey } from '../../../lib/keyring.ts'
import { verifyMedia } from '../../../lib/signing.ts'
import { contentType } from './media.rules.ts'

/** Nothing in a stored file runs, whatever it is; pictures and films may be looked at by themselves. */
const POLICY = "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"
/** A picture without `ts` is soon another one under the same address. */
const CHANGING_SECONDS = 10
const CONTAINERS: readonly string[] = ['tsd-pics', 'tsd-timelapses', 'tsd-gcodes'] satisfies Container[]

/**
 * `GET /media/{container}/{path}?digest=&expires=`: whoever has a signed address may read that file until it
 * ends (docs/wire/rest.md 7).
 */
export function mediaRoutes(app: FastifyInstance, ctx: Ctx): void {
  stream(app, { path: '/media/*', callers: ['anyone'] }, ({ request }) => contentOf(ctx, request))
}

async function contentOf(ctx: Ctx, request: FastifyRequest): Promise<Content> {
  const { ref, secondsLeft } = authorize(ctx, request)
  const { ts } = fieldsOf(request.query)
  const mayChange = ref.container === 'tsd-pics' && ts === undefined
  return await storedContent(ctx, ref, `private, max-age=${mayChange ? CHANGING_SECONDS : secondsLeft}`)
}

/** A stored file, to be served in parts to whoever may see it; raises 404 where there is none. */
export async function storedContent(
  ctx: Pick<Ctx, 'files'>,
  ref: MediaRef,
  cacheControl: string,
): Promise<Content> {
  const found = await ctx.files.stat(ref).catch((error: unknown) => {
    if (error instanceof BadPath) return null
    throw error
  })
  if (found === null) throw notFound()
  return {
    ...found,
    etag: `"${found.numBytes.toString(16)}-${found.modifiedAt.getTime().toString(16)}"`,
    headers: {
      'cache-control': cacheControl,
      'content-security-policy': POLICY,
      'content-disposition': 'inline',
      'content-type': contentType(ref.path),
      'x-content-type-options': 'nosniff',
    },
    open: async (part) => {
      const bytes = await ctx.files.get(ref, part)
      // The latest picture is replaced while it is read: its length is that of what was read.
      return bytes && ref.container === 'tsd-pics' && part === undefined ? buffer(bytes) : bytes
    },
  }
}

/** Who may read what: 403 for a wrong, missing or outdated signature, whether the file is there or not. */
function authorize(ctx: Ctx, request: FastifyRequest): { ref: MediaRef; secondsLeft: number } {
  const { '*': rest } = fieldsOf(request.params)
  const path = typeof rest === 'string' ? rest : ''
  const { digest, expires } = fieldsOf(request.query)
  if (typeof digest !== 'string' || typeof expires !== 'string') throw forbidden('This link is not signed.')
  const now = ctx.clock.now()
  const expiresAt = Number(expires)
  const signed = { path, expiresAt, digest, now }
  if (!byKnownKey(ctx.config, (secret) => verifyMedia(secret, signed))) {
    throw forbidden('This link is wrong or has expired.')
  }
  const container = path.split('/', 1)[0] ?? ''
  if (!CONTAINERS.includes(container)) throw notFound()
  const ref = { container: container as Container, path: path.slice(container.length + 1) }
  return { ref, secondsLeft: Math.floor(expiresAt - now / 1_000) }
}
