import { createHash, randomUUID } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { Endpoint } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Files, MediaRef } from '../engines/files/port.ts'
import { AppError, badRequest, invalid, tooLarge } from './errors.ts'
import { type LongBody, openBody } from './upload-timeouts.ts'
import { callerKey } from './principal.ts'
import {
  type Answer,
  answerWith,
  type Bodiless,
  type Call,
  checkOf,
  type PrincipalFor,
  serve,
} from './route.ts'
import { type Quota, type RoomCtx, takeRoom } from './room.ts'
import { textOf } from '../lib/thrown.ts'

/** A file that came and is stored. */
export interface Stored {
  readonly ref: MediaRef
  /** The sender's name for it: text from a stranger. */
  readonly filename: string
  readonly numBytes: number
  /** Of its content, 64 hexadecimal digits. */
  readonly sha256: string
}

/** Where a file goes, and how large it may be. */
export interface Place {
  /** Ours, never the sender's; nothing is there yet. */
  readonly ref: MediaRef
  readonly maxBytes: number
  /** What a larger one is refused with, where clients know other words than the usual. */
  readonly tooLarge?: AppError
  /** What it counts for, where all that somebody stores has an end. */
  readonly quota?: Quota
}

export interface UploadRules<E extends Endpoint> {
  /** Asked before anything is read: refuses (a quota, a printer of somebody else) by throwing. */
  place(call: Bodiless<E>): Promise<Place> | Place
  /** For all of it, in milliseconds; an hour unless given. A minute without a byte is too long anyway. */
  readonly timeMs?: number
  /** How many bytes of the file have come. */
  onProgress?(numBytes: number, call: Bodiless<E>): void
}

/** A call with the fields that came beside its file. */
export type WithFields<E extends Endpoint> = Omit<Call<E, PrincipalFor<E>>, 'raw'>
export type UploadHandler<E extends Endpoint> = (call: WithFields<E>, stored: Stored) => Promise<Answer<E>>

/** An endpoint that takes a file. */
export type UploadEndpoint = Endpoint & { readonly upload: string }

export const HOUR_MS = 3_600_000
/** So long what came may be read before its room is anybody's. */
const HANDLING_MS = 600_000
/** What may stand around the file: fields, headers, boundaries. */
const AROUND_BYTES = 1_048_576
const LIMITS = { parts: 100, fields: 100, files: 1, fieldSize: 65_536, headerPairs: 20, headerSize: 8192 }

const malformed = (why: string) => badRequest(`Multipart form parse error - ${why}`)

/**
 * Serves an endpoint that takes a file as multipart and stores it as it comes, no more than a few blocks of it in
 * memory. `handler` gets it whole, with its hash, and the other fields; when it throws, or the sender goes, nothing is
 * left. Its room is taken when it begins (`takeRoom`). Raises in front of it: 408, 413, 415, 429, 507 and what the fields are refused for.
 */
export function upload<E extends UploadEndpoint>(
  app: FastifyInstance,
  ctx: RoomCtx & { readonly files: Files },
  definition: E,
  rules: UploadRules<E>,
  handler: UploadHandler<E>,
): void {
  const { files } = ctx
  const check = checkOf(definition.body, 'body')
  serve(app, definition, { streams: true }, async (call) => {
    const place = await rules.place(call)
    const { request, reply } = call
    refuseAtOnce(request, place)
    const timeMs = rules.timeMs ?? HOUR_MS
    const length = request.headers['content-length']
    const room = await takeRoom(ctx, request.server, {
      ...place,
      id: randomUUID(),
      owner: callerKey(request.principal, request.edge),
      lapseMs: timeMs + HANDLING_MS,
      ...(length === undefined ? {} : { numBytes: Number(length), aroundBytes: AROUND_BYTES }),
    })
    const body = openBody(request, timeMs)
    try {
      const { fields, stored } = await receive(body, request, {
        ...place,
        ...room,
        files,
        field: definition.upload,
        onProgress(numBytes) {
          room.came(numBytes)
          rules.onProgress?.(numBytes, call)
        },
      })
      return await keep(files, stored.ref, async () => {
        const whole = { ...call, body: await check?.(fields) } as WithFields<E>
        return answerWith(reply, definition, await handler(whole, stored))
      })
    } finally {
      body.release()
      await room.release()
    }
  })
}

/** A stored file is kept when this succeeds, and goes when it throws. */
export async function keep<T>(files: Files, ref: MediaRef, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await files.remove(ref)
    throw error
  }
}

function refuseAtOnce({ headers }: FastifyRequest, place: Place): void {
  const type = headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw new AppError(415, { detail: `Unsupported media type "${type.slice(0, 100)}" in request.` })
  if (Number(headers['content-length'] ?? 0) > place.maxBytes + AROUND_BYTES)
    throw place.tooLarge ?? tooLarge()
}

interface Receiving extends Place {
  readonly files: Files
  readonly field: string
  readonly onProgress: (numBytes: number) => void
}

/** Reads a multipart body to its end; its file is stored by then. On failure nothing of it is. */
async function receive(
  { body, cut }: LongBody,
  request: FastifyRequest,
  { files, field, ...place }: Receiving,
): Promise<{ fields: Record<string, unknown>; stored: Stored }> {
  const fields: Record<string, unknown> = Object.create(null)
  const storing: Promise<Stored>[] = []
  const reading = Promise.withResolvers<void>()
  const gone = new AbortController()
  const fail = (error: unknown) => {
    gone.abort(error)
    reading.reject(error)
  }
  cut.addEventListener('abort', () => fail(cut.reason), { once: true })
  if (cut.aborted) fail(cut.reason)
  const reader = openReader(request)
  reader.on('field', (name: string | undefined, value, _isNameCut, isCut) => {
    if (name === undefined || isCut) fail(malformed('a field is unreadable or too large'))
    else fields[name] = value
  })
  reader.on('file', (name: string | undefined, stream, filename) => {
    if (name !== field) return void stream.resume()
    const one = store(files, stream, { ...place, filename, gone: gone.signal })
    one.catch(fail)
    storing.push(one)
  })
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
    reader.on(limit, () => fail(new AppError(413, { detail: 'Too many fields.' })))
  reader.on('error', (error: unknown) => fail(malformed(textOf(error))))
  reader.on('finish', reading.resolve)
  body.pipe(reader)
  try {
    await reading.promise
    const [stored] = await Promise.all(storing)
    if (stored === undefined) throw invalid({ [field]: 'The submitted data was not a file.' })
    return { fields, stored }
  } catch (error) {
    body.unpipe(reader)
    for (const one of await Promise.allSettled(storing))
      if (one.status === 'fulfilled') await files.remove(one.value.ref)
    throw error
  }
}

function openReader({ headers }: FastifyRequest) {
  const type = headers['content-type'] ?? ''
  try {
    if (type.length > 200) throw new Error('the boundary is too long')
    return new Busboy({ headers: { 'content-type': type }, limits: LIMITS })
  } catch (error) {
    throw malformed(textOf(error))
  }
}

interface Storing extends Place {
  readonly filename: string
  readonly gone: AbortSignal
  readonly onProgress?: (numBytes: number) => void
}

/** Stores a stream while it counts and hashes it. Raises 413, or what `gone` was aborted for; then nothing is stored. */
export async function store(
  files: Files,
  content: Readable,
  { ref, maxBytes, filename, gone, onProgress, tooLarge: refusal = tooLarge() }: Storing,
): Promise<Stored> {
  const hash = createHash('sha256')
  let numBytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      numBytes += chunk.length
      if (numBytes > maxBytes) return done(refusal)
      hash.update(chunk)
      onProgress?.(numBytes)
      done(null, chunk)
    },
  })
  // The store hears of it when it comes to read.
  meter.on('error', () => undefined)
  const stop = () => meter.destroy(gone.reason instanceof Error ? gone.reason : undefined)
  gone.addEventListener('abort', stop, { once: true })
  content.on('error', (error: Error) => meter.destroy(error))
  if (gone.aborted) stop()
  content.pipe(meter)
  try {
    await files.put(ref, meter)
    return { ref, filename, numBytes, sha256: hash.digest('hex') }
  } finally {
    gone.removeEventListener('abort', stop)
    content.unpipe(meter)
    content.resume()
  }
}
