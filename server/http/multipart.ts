import { AppError, badRequest } from './errors.ts'

/** One part of a multipart body. A file is a part with a file name, whatever its type says (agent-protocol 2). */
export type Part =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | { readonly kind: 'file'; readonly name: string; readonly filename: string; readonly bytes: Buffer }

const BLANK_LINE = Buffer.from('\r\n\r\n')
const MAX_PARTS = 1000
const MAX_HEADER = 8192

const malformed = (why: string) => badRequest(`Multipart form parse error - ${why}`)

/** The boundary of a `multipart/form-data` header (RFC 2046: 1 to 70 characters). */
function boundaryOf(contentType: string): Buffer {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) throw malformed('no boundary')
  return Buffer.from(`--${boundary}`, 'latin1')
}

/** A quoted parameter of Content-Disposition: browsers write `%22`, others a backslash. */
function parameter(header: string, name: string): string | undefined {
  const quoted = new RegExp(`;\\s*${name}="((?:\\\\["\\\\]|[^"])*)"`, 'i').exec(header)?.[1]
  if (quoted !== undefined) return quoted.replace(/\\(["\\])/g, '$1').replace(/%22/g, '"')
  return new RegExp(`;\\s*${name}=([^\\s;"]*)`, 'i').exec(header)?.[1]
}

/** `filename*=utf-8''na%C3%AFve.gcode` (RFC 5987), as Python's clients send it. */
function extendedParameter(header: string, name: string): string | undefined {
  const value = new RegExp(`;\\s*${name}\\*=utf-8'[^']*'([^\\s;]*)`, 'i').exec(header)?.[1]
  try {
    return value === undefined ? undefined : decodeURIComponent(value)
  } catch {
    return value
  }
}

function partOf(head: string, content: Buffer): Part {
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(head.replace(/\r\n[ \t]+/g, ' '))?.[1]
  const name =
    disposition === undefined
      ? undefined
      : (extendedParameter(disposition, 'name') ?? parameter(disposition, 'name'))
  if (disposition === undefined || name === undefined) throw malformed('a part has no name')
  const filename = extendedParameter(disposition, 'filename') ?? parameter(disposition, 'filename')
  if (filename === undefined) return { kind: 'field', name, value: content.toString('utf8') }
  return { kind: 'file', name, filename, bytes: content }
}

/** Position of the next delimiter line, which begins a line and is followed by a line end or `--`. */
function nextDelimiter(body: Buffer, delimiter: Buffer, from: number): number {
  for (let at = body.indexOf(delimiter, from); at !== -1; at = body.indexOf(delimiter, at + 1)) {
    const isLineStart = at === 0 || (body[at - 1] === 10 && body[at - 2] === 13)
    let after = at + delimiter.length
    while (body[after] === 32 || body[after] === 9) after++
    const isEnd =
      (body[after] === 45 && body[after + 1] === 45) || (body[after] === 13 && body[after + 1] === 10)
    if (isLineStart && isEnd) return at
  }
  return -1
}

/** Splits a whole multipart body (RFC 7578). Files are views into `body`, not copies. Raises 400 or 413. */
export function parseMultipart(body: Buffer, contentType: string): Part[] {
  const delimiter = boundaryOf(contentType)
  const parts: Part[] = []
  let at = nextDelimiter(body, delimiter, 0)
  if (at === -1 && body.length > 0) throw malformed('no boundary found')
  while (at !== -1) {
    const start = body.indexOf(10, at + delimiter.length - 1) + 1
    if (body.subarray(at + delimiter.length, at + delimiter.length + 2).toString('latin1') === '--')
      return parts
    const blank = body.indexOf(BLANK_LINE, start - 2)
    const next = nextDelimiter(body, delimiter, start)
    if (blank === -1 || next === -1 || blank > next) throw malformed('a part is cut off')
    if (blank - start > MAX_HEADER) throw malformed('a header is too long')
    if (parts.length === MAX_PARTS) throw new AppError(413, { detail: 'Too many fields.' })
    parts.push(
      partOf(
        body.toString('utf8', start, Math.max(start, blank)),
        body.subarray(blank + 4, Math.max(blank + 4, next - 2)),
      ),
    )
    at = next
  }
  return parts
}
