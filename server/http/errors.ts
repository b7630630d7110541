import type { z } from 'zod'

/** An answer other than success: status and exact wire body (api-contract 1.3). */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(typeof body === 'string' ? body : JSON.stringify(body))
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** 404; the text is for display only. */
export const notFound = (detail = 'Not found.') => new AppError(404, { detail })

/** 403: no or bad credential, or not allowed. */
export const forbidden = (detail = 'Authentication credentials were not provided.') =>
  new AppError(403, { detail })

/** 400 with messages beside fields; `non_field_errors` for the rest. */
export const invalid = (fields: Record<string, string | string[]>) =>
  new AppError(
    400,
    Object.fromEntries(Object.entries(fields).map(([key, text]) => [key, Array.isArray(text) ? text : [text]])),
  )

/** 400 with one sentence. */
export const badRequest = (detail: string) => new AppError(400, { detail })

/** 429 with Retry-After in whole seconds. */
export const throttled = (seconds: number) => {
  const wait = Math.max(1, Math.ceil(seconds))
  return new AppError(
    429,
    { detail: `Request was throttled. Expected available in ${wait} seconds.` },
    { 'retry-after': String(wait) },
  )
}

/** 503: something that we need is away; nothing was done. */
export const unavailable = (detail: string) => new AppError(503, { detail }, { 'retry-after': '5' })

/** 507: the disk is full (issue 3, part 7). */
export const diskFull = (where: string) =>
  new AppError(507, { detail: `The server's disk is full (${where}). Nothing was saved; free some space and try again.` })

const REQUIRED = 'This field is required.'

/** Zod's issues as the wire's field map: `{field: [message], non_field_errors: [message]}`. */
export function fieldErrors(error: z.core.$ZodError): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const key = issue.path.length === 0 ? 'non_field_errors' : String(issue.path[0])
    const missing = issue.code === 'invalid_type' && issue.input === undefined
    const list = (fields[key] ??= [])
    list.push(missing ? REQUIRED : issue.message)
  }
  return fields
}
