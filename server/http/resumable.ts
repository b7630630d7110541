import { fieldsOf } from '@vigil/contract/fields.ts'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Locker, MemoryLocker, Server, type ServerOptions, type Upload } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Ctx } from '../ctx.ts'
import type { Container } from '../engines/files/port.ts'
import { AppError } from './errors.ts'
import { isFirst } from './limits.ts'
import { openBody } from './upload-timeouts.ts'
import { Pieces, removeStale, type Rooms } from './tus-store.ts'
import { callerKey, type Principal } from './principal.ts'
import { hasRoom } from './room.queries.ts'
import { keepRoom, type RoomCtx, releaseRoom, takeRoom } from './room.ts'
import { type Bodiless, checkOf, Json, serve } from './route.ts'
import {
  HOUR_MS,
  keep,
  type Place,
  store,
  type UploadEndpoint,
  type UploadHandler,
  type UploadRules,
  type WithFields,
} from './upload.ts'

/** So long nobody else finishes what is being finished. */
const FINISHING_MS = 10 * 60_000
/** So long who did not hear the last answer may ask for it again: what is stored twice is a file too many. */
const TOLD_MS = 3_600_000
/** Of the library's headers those that are the protocol's: who may read an answer is not its matter. */
const TOLD = /^(tus-|upload-|location$|content-type$)/

type Needs = RoomCtx & Pick<Ctx, 'files' | 'live' | 'jobs'>
type Rules<E extends UploadEndpoint> = UploadRules<E> & {
  /** Where the parts lie until all have come. */
  readonly container: Container
}

/** What all requests of one endpoint share. */
interface Door<E extends UploadEndpoint> {
  readonly ctx: Needs
  readonly rules: Rules<E>
  readonly handler: UploadHandler<E>
  readonly check: ReturnType<typeof checkOf>
  readonly locker: Locker
  readonly folder: string
  readonly closing: AbortSignal
}

/**
 * Serves the same upload in parts that can be resumed, by the tus protocol (https://tus.io, 1.0), at
 * `{path}resumable/`: fields and `filename` travel in `Upload-Metadata`, and the last part is answered as the whole would
 * be, but with 200. Its room is taken when it begins. What has come outlives the connection and the server; an hour after the last
 * byte it is removed.
 */
export function resumable<E extends UploadEndpoint>(
  app: FastifyInstance,
  ctx: Needs,
  definition: E,
  rules: Rules<E>,
  handler: UploadHandler<E>,
): void {
  const { path, callers, params, summary, response } = definition
  const slug = path.replace(/\W{1,9}/g, '-').replace(/^-|-$/g, '')
  const door: Door<E> = {
    ctx,
    rules,
    handler,
    check: checkOf(definition.body, 'body'),
    locker: new MemoryLocker(),
    folder: `incoming/${slug}`,
    closing: app.closing,
  }
  const upload = { upload: z.string() }
  const below = { container: rules.container, path: door.folder }
  ctx.jobs.schedule(`stale-${slug}`, '*/20 * * * *', () => removeStale(ctx.files, below, roomsOf(ctx)))
  const all = `${path}resumable/` as const
  for (const [method, at, asks, what, status] of [
    ['POST', all, 'POST', 'begin', 201],
    ['PATCH', `${all}:upload/`, 'PATCH', 'go on', 204],
    ['GET', `${all}:upload/`, 'HEAD', 'how much has come', 200],
    ['DELETE', `${all}:upload/`, 'DELETE', 'give up', 204],
  ] as const) {
    const part = {
      method,
      path: at,
      callers,
      summary: `${summary}, in parts: ${what}`,
      status,
      response: null,
      hasPlainRefusals: true,
      // The last part is answered as the whole would be.
      ...(response && status !== 200 && { answers: { 200: response } }),
    }
    const ids = at === all ? params : (params instanceof z.ZodObject ? params : z.object({})).extend(upload)
    // Of the same callers and path, so that calls are of the same type.
    const same = (ids ? { ...part, params: ids } : part) as unknown as E
    serve(app, same, { streams: true }, (call) => take(door, call, asks))
  }
}

/** One request of the protocol. Raises what its refusal is answered as. */
async function take<E extends UploadEndpoint>(
  door: Door<E>,
  call: Bodiless<E>,
  method: string,
): Promise<FastifyReply> {
  const { request, reply, principal } = call
  const { ctx, rules } = door
  const path = `${door.folder}/${ownerOf(principal)}`
  const { upload: named } = fieldsOf(request.params)
  const id = typeof named === 'string' ? named : ''
  const said = method === 'HEAD' || method === 'PATCH' ? await ctx.live.get(toldKey(path, id)) : null
  if (said !== null) return await tellAgain(reply, method, JSON.parse(String(said)) as Told)
  const place = await rules.place(call)
  const pieces = new Pieces(ctx.files, { container: rules.container, path }, roomsOf(ctx))
  let failure: unknown = null
  let begun: string | null = null
  const tus = new Server({
    ...namesOf(request, id),
    datastore: pieces,
    locker: door.locker,
    maxSize: place.maxBytes,
    onUploadCreate: async (_request, upload) => {
      await door.check?.(metadataOf(upload))
      await takeRoom(ctx, request.server, { ...place, ...wishOf(request, upload) })
      begun = upload.id
      return {}
    },
    onUploadFinish: async (_request, upload) => ({
      status_code: 200,
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: await finish(door, call, place, { pieces, upload, path }),
    }),
    // Answered by ourselves: the library knows no bodies but texts.
    onResponseError: (_request, error) => {
      failure = error
      return { status_code: 500, body: '' }
    },
  })
  const body = openBody(request, rules.timeMs ?? HOUR_MS)
  const answer = await tus.handleWeb(webRequest(request, method, body.body)).finally(() => body.release())
  if (body.cut.aborted || failure !== null) {
    // Nobody has heard its address.
    if (begun !== null) await pieces.remove(begun)
    throw body.cut.aborted ? body.cut.reason : refusalOf(failure)
  }
  for (const [name, value] of answer.headers) if (TOLD.test(name)) reply.header(name, value)
  return await reply.status(answer.status).send(await answer.text())
}

const wishOf = ({ principal, edge }: FastifyRequest, { id, size = 0 }: Upload) => ({
  id,
  owner: callerKey(principal, edge),
  numBytes: size,
  // Its parts, and the file that they become.
  timesOnDisk: 2,
})

const roomsOf = (ctx: Needs): Rooms => ({
  has: (id) => hasRoom(ctx.db, id, new Date(ctx.clock.now())),
  keep: (id, comeBytes) => keepRoom(ctx, id, { comeBytes }),
  release: (id) => releaseRoom(ctx, id),
})

/** What became of an upload: of how many bytes it was, and the answer to its last part. */
interface Told {
  readonly size: number
  readonly text: string
}
const toldKey = (path: string, id: string) => `upload:${path}/${id}:told`

/** The same once more, to one whose line was lost just then. */
async function tellAgain(reply: FastifyReply, method: string, { size, text }: Told): Promise<FastifyReply> {
  reply.header('tus-resumable', '1.0.0').header('upload-offset', size).header('upload-length', size)
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8')
  return await reply.status(200).send(method === 'HEAD' ? '' : text)
}

/** Ids and addresses of uploads, below the address that was asked for. */
function namesOf({ url, edge }: FastifyRequest, id: string) {
  const path = url.split('?', 1)[0]!.replace(/\/?$/, '/')
  return {
    path,
    namingFunction: () => randomBytes(16).toString('hex'),
    getFileIdFromRequest: () => (/^[0-9a-f]{32}$/.test(id) ? id : undefined),
    generateUrl: (_request: unknown, made: { id: string }) =>
      `${edge.origin}${edge.prefix}${path}${made.id}/`,
  } satisfies Partial<ServerOptions>
}

/** Whose uploads are whose: another's simply are not there. */
function ownerOf(principal: Principal): string {
  if (principal.kind === 'user') return `user-${principal.userId}`
  if (principal.kind === 'printer') return `printer-${principal.printerId}`
  throw new Error('An upload that can be resumed belongs to somebody.')
}

const metadataOf = ({ metadata }: Upload) => ({ ...metadata })

/** Everything has come: it becomes one file, and the handler's. Raises 409 for one who finishes it a second time. */
async function finish<E extends UploadEndpoint>(
  { ctx, handler, check, closing }: Door<E>,
  call: Bodiless<E>,
  place: Place,
  { pieces, upload, path }: { readonly pieces: Pieces; readonly upload: Upload; readonly path: string },
): Promise<string> {
  const key = `upload:${upload.id}:finishing`
  if (!(await isFirst(ctx, key, FINISHING_MS)))
    throw new AppError(409, { detail: 'This upload is being finished.' })
  try {
    const filename = upload.metadata?.['filename'] ?? ''
    const stored = await store(ctx.files, Readable.from(pieces.content(upload.id)), {
      ...place,
      filename,
      gone: closing,
    })
    const answer = await keep(ctx.files, stored.ref, async () => {
      const whole = { ...call, body: await check?.(metadataOf(upload)) } as WithFields<E>
      return await handler(whole, stored)
    })
    const text = answer instanceof Json ? answer.text : JSON.stringify(answer)
    const told: Told = { size: stored.numBytes, text }
    await ctx.live.put(toldKey(path, upload.id), JSON.stringify(told), TOLD_MS)
    await pieces.remove(upload.id)
    return text
  } finally {
    await ctx.live.put(key, null, 0)
  }
}

/** The request as the library takes it. */
function webRequest({ headers }: FastifyRequest, method: string, body: Readable): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const hasBody = method === 'POST' || method === 'PATCH'
  const content = hasBody ? { body: Readable.toWeb(body), duplex: 'half' } : {}
  return new Request('http://upload/', { method, headers: given, ...content } as RequestInit)
}

/** The library's refusals are a status and a sentence. */
function refusalOf(failure: unknown): Error {
  if (failure instanceof Error) return failure
  const { status_code: said, body = '' } = fieldsOf(failure)
  const status: number = typeof said === 'number' ? said : 500
  // A part of the protocol that is not offered (a length that is told later) is the sender's fault.
  return new AppError(status === 501 ? 400 : status, { detail: String(body).trim() })
}
