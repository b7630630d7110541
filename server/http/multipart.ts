import { setImmediate as nextTurn } from 'node:timers/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { AppError, badRequest } from './errors.ts'
import { textOf } from '../lib/thrown.ts'

/** One part of a multipart body. A file is a part with a file name, whatever its type says (docs/wire/agents.md 3). */
export type Part =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | { readonly kind: 'file'; readonly name: string; readonly filename: string; readonly bytes: Buffer }

/** Agents and browsers send a file or two and some fields. A header that is too long is cut. */
const LIMITS = {
  parts: 1000,
  fields: 1000,
  files: 20,
  fieldSize: 1_048_576,
  headerPairs: 20,
  headerSize: 8192,
}
/** With the boundary, of which RFC 2046 allows 70 characters. */
const LONGEST_TYPE = 200
/** A limit is noticed after so many bytes, and others have their turn after so many. */
const STEP_BYTES = 16_384
const TURN_BYTES = 16 * STEP_BYTES

const malformed = (why: string) => badRequest(`Multipart form parse error - ${why}`)
const tooMuch = (detail: string) => new AppError(413, { detail })

/** Splits a whole multipart body (RFC 7578). Raises 400, or 413 beyond the limits. */
export async function parseMultipart(body: Buffer, contentType: string): Promise<Part[]> {
  if (body.length === 0) return []
  const reader = openReader(contentType)
  const parts: Part[] = []
  let failure: AppError | null = null
  const done = new Promise<void>((resolve) => {
    const fail = (error: AppError) => {
      failure ??= error
      resolve()
    }
    reader.on('finish', resolve)
    reader.on('error', (error: unknown) =>
      fail(malformed(error instanceof Error ? error.message : 'unreadable')),
    )
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
      reader.on(limit, () => fail(tooMuch('Too many fields.')))
    reader.on('field', (name: string | undefined, value, _isNameCut, isCut) => {
      if (name === undefined) fail(malformed('a part has no name'))
      else if (isCut) fail(tooMuch('A field is too large.'))
      else parts.push({ kind: 'field', name, value })
    })
    reader.on('file', (name: string | undefined, stream, filename) => {
      if (name === undefined) fail(malformed('a part has no name'))
      keep(stream, (bytes) => parts.push({ kind: 'file', name: name ?? '', filename, bytes }))
    })
  })
  for (let at = 0; at < body.length && failure === null; at += STEP_BYTES) {
    reader.write(body.subarray(at, at + STEP_BYTES))
    if (at > 0 && at % TURN_BYTES === 0) await nextTurn()
  }
  reader.end()
  await done
  if (failure !== null) throw failure as AppError
  return parts
}

function openReader(contentType: string): BusboyInstance {
  if (contentType.length > LONGEST_TYPE) throw malformed('the boundary is too long')
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS })
  } catch (error) {
    throw malformed(textOf(error))
  }
}

/** A file, whole. One that is cut off is told of by the reader. */
function keep(stream: BusboyFileStream, then: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => then(joined(chunks)))
  stream.on('error', () => {})
}

/** Pieces as one: without a copy where they lie side by side in the body, as all do that looked like no boundary. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  if (first === undefined) return Buffer.alloc(0)
  let end = first.byteOffset
  for (const { buffer, byteOffset, length } of chunks) {
    if (buffer !== first.buffer || byteOffset !== end) return Buffer.concat(chunks)
    end += length
  }
  return Buffer.from(first.buffer, first.byteOffset, end - first.byteOffset)
}
