import type { z } from 'zod'
import { type Text, text } from './texts.ts'

/** A sentence that any route may answer with. */
const say = (key: string, params?: Record<string, string | number>) => text('accounts-server', key, params)

/** An answer other than success: status and exact wire body (docs/wire/rest.md 3). */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(typeof body === 'string' ? body : JSON.stringify(body ?? null))
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** 404; the text is for display only. */
export const notFound = (detail: string | Text = 'Not found.') => new AppError(404, { detail })

/** 403: no or bad credential, or not allowed. */
export const forbidden = (detail: string | Text = 'Authentication credentials were not provided.') =>
  new AppError(403, { detail })

type Messages = string | Text | readonly (string | Text)[]

/** 400 with messages beside fields; `non_field_errors` for the rest. */
export const invalid = (fields: Record<string, Messages>) =>
  new AppError(
    400,
    Object.fromEntries(
      Object.entries(fields).map(([key, said]) => [key, Array.isArray(said) ? said : [said]]),
    ),
  )

/** 400 with one sentence. */
export const badRequest = (detail: string | Text) => new AppError(400, { detail })

/** 409: it does not go with what there is by now. */
export const conflict = (detail: string | Text) => new AppError(409, { detail })

/** 413: more than a route takes. */
export const tooLarge = () => new AppError(413, { detail: 'Request body is too large.' })

/** 426: a socket's address was called as if it were a page's, for instance by a proxy that drops `Upgrade`. */
export const upgradeRequired = () =>
  new AppError(426, { detail: 'Upgrade required.' }, { upgrade: 'websocket' })

/** 429 with Retry-After in whole seconds. */
export const throttled = (seconds: number) => {
  const wait = Math.max(1, Math.ceil(seconds))
  return new AppError(429, { detail: say('throttled', { count: wait }) }, { 'retry-after': String(wait) })
}

/** 503: something that we need is away; nothing was done. */
export const unavailable = (detail: string | Text) => new AppError(503, { detail }, { 'retry-after': '5' })

/** 507: the disk is full (docs/wire/rest.md 1). */
export const diskFull = (where: string) => new AppError(507, { detail: say('diskFull', { where }) })

/** Zod's own sentences are for programmers: the ones that a person can cause, in words that have a translation. */
function sentenceOf(issue: z.core.$ZodIssue): string | Text {
  if (issue.code === 'too_big' && issue.origin === 'string')
    return say('tooLong', { most: `${issue.maximum}` })
  if (issue.code === 'too_big') return say('tooGreat', { most: `${issue.maximum}` })
  if (issue.code === 'too_small' && issue.origin === 'string')
    return say('tooShort', { least: `${issue.minimum}` })
  if (issue.code === 'too_small') return say('tooSmall', { least: `${issue.minimum}` })
  if (issue.code === 'invalid_format' && issue.format === 'email') return say('badEmail')
  if (issue.code === 'invalid_format' || issue.code === 'invalid_type' || issue.code === 'invalid_value')
    return say('badValue', { said: issue.message })
  return issue.message
}

/** The one message of an issue that clients of the old server know. */
function messageOf(issue: z.core.$ZodIssue): string | Text {
  if (issue.code === 'custom' || issue.message.startsWith('This ')) return issue.message
  if (issue.input === undefined && 'input' in issue) return say('required')
  return issue.input === null ? say('notNull') : sentenceOf(issue)
}

/**
 * Zod's issues as the wire's field map: `{field: [message], non_field_errors: [message]}`. Parse with
 * `reportInput: true`, so that a missing field can be told from a wrong one.
 */
export function fieldErrors(error: z.core.$ZodError): Record<string, (string | Text)[]> {
  const fields: Record<string, (string | Text)[]> = Object.create(null)
  for (const issue of error.issues) {
    const key = issue.path.length === 0 ? 'non_field_errors' : String(issue.path[0])
    const list = (fields[key] ??= [])
    const message = messageOf(issue)
    if (!list.some((said) => said.toString() === message.toString())) list.push(message)
  }
  return { ...fields }
}
