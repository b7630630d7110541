import { fieldsOf, isFields } from '@vigil/contract/fields.ts'
import { readWanted, type Wanted } from './proof.ts'

/** What went wrong with a call, in the shapes of docs/wire/rest.md 3. */
export type Problem =
  | { kind: 'offline' }
  | { kind: 'throttled'; retryAfterS: number }
  | { kind: 'fields'; fields: Record<string, string>; general: string | null }
  | { kind: 'missing' }
  /** `reason`: a word that pages know. */
  | { kind: 'forbidden'; detail: string | null; reason?: string; wanted?: Wanted }
  | { kind: 'server'; status: number; detail: string | null; reason?: string }

export class CallError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.kind)
    this.problem = problem
  }
}

function firstText(value: unknown): string | null {
  if (typeof value === 'string') return value.slice(0, 500)
  if (Array.isArray(value)) return value.map(firstText).filter(Boolean).join(' ') || null
  if (value && typeof value === 'object')
    return Object.values(value).map(firstText).filter(Boolean).join(' ') || null
  return null
}

/** A field with what is wrong of it; one that holds others is told of by these (`{config: {url: ["…"]}}`). */
const wrongOf = (key: string, value: unknown): (readonly [string, string | null])[] =>
  isFields(value)
    ? Object.entries(value).map(([inner, said]) => [inner, firstText(said)])
    : [[key, firstText(value)]]

/** Reads the body of a refused call. Fields may be lists, plain strings or nested. */
export function readProblem(status: number, retryAfter: string | null, body: unknown): Problem {
  const object = fieldsOf(body)
  const detail = firstText(object['detail']) ?? firstText(object['error'])
  if (status === 429) return { kind: 'throttled', retryAfterS: Math.max(1, Number(retryAfter) || 60) }
  if (status === 404) return { kind: 'missing' }
  const reason = firstText(object['reason'])
  if (status === 401 || status === 403) {
    return { kind: 'forbidden', detail, ...(reason ? { reason, wanted: readWanted(object) } : {}) }
  }
  if (status === 400) {
    const fields: Record<string, string> = {}
    let general: string | null = detail ?? (Array.isArray(body) ? firstText(body) : null)
    const wrong = Object.entries(object).flatMap(([key, value]) => wrongOf(key, value))
    for (const [key, message] of wrong) {
      if (!message || key === 'detail' || key === 'error') continue
      if (key === 'non_field_errors') general = message
      else fields[key] = message
    }
    return { kind: 'fields', fields, general }
  }
  return { kind: 'server', status, detail, ...(reason && { reason }) }
}

/** The problem behind anything that was thrown. */
export function problemOf(error: unknown): Problem {
  return error instanceof CallError ? error.problem : { kind: 'server', status: 0, detail: null }
}
