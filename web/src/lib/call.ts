import type { Args, Endpoint, Reply } from '@vigil/contract/endpoint.ts'
import { serverUrl } from './base.ts'
import { learnServerTime } from './clock.ts'
import { earlyAnswer } from './early.ts'
import { CallError, readProblem } from './errors.ts'
import { callWent } from './line.ts'
import { isShown } from './proof.ts'
import { buildPath, type LooseArgs } from './request-path.ts'

/** So long an answer is waited for. */
export const CALL_MS = 30_000

/** Who calls, where that is not whose session it is, and how long an answer is waited for. */
const voice = { bearer: '', ms: CALL_MS }

/** From now on calls are made with this token; '' for none. */
export function speakAs(bearer: string, ms = voice.ms): void {
  Object.assign(voice, { bearer, ms })
}

/** A large file over a slow line. */
const FORM_MS = 30 * 60_000

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!text) return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Calls an endpoint of the contract. Throws a CallError that says what went wrong. */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[args]: keyof Args<E> extends never ? [] : [Args<E>]
): Promise<Reply<E>> {
  return await answerOf(endpoint, args ?? {})
}

/** Sends a form with a file to an endpoint that takes one. Throws as `call`. */
export const sendForm = <E extends Endpoint>(
  endpoint: E,
  form: FormData,
  query?: LooseArgs['query'],
): Promise<Reply<E>> => answerOf(endpoint, { body: form, ...(query ? { query } : {}) })

const answerOf = async <E extends Endpoint>(endpoint: E, args: LooseArgs): Promise<Reply<E>> =>
  (await request(endpoint, args)) as Reply<E>

async function request(endpoint: Endpoint, loose: LooseArgs): Promise<unknown> {
  const headers: Record<string, string> = {
    'X-Requested-With': 'XMLHttpRequest',
    Accept: 'application/json',
    // Who has no account, or is not known yet, is answered in the language of the page.
    'Accept-Language': document.documentElement.lang,
  }
  const form = loose.body instanceof FormData ? loose.body : null
  if (voice.bearer) headers['Authorization'] = `Bearer ${voice.bearer}`
  if (form === null && loose.body !== undefined) headers['Content-Type'] = 'application/json'
  // Whoever speaks by a token is on a page whose language somebody else has chosen, before that of their account.
  const query = voice.bearer ? { ...loose.query, lang: document.documentElement.lang } : loose.query
  const url = serverUrl(buildPath(endpoint.path, { ...loose, ...(query ? { query } : {}) }))
  const early = await earlyAnswer(url)
  const startedAt = performance.now()
  let response: Response
  let body: unknown
  try {
    response =
      early ??
      (await fetch(url, {
        method: endpoint.method,
        headers,
        body: form ?? (loose.body === undefined ? null : JSON.stringify(loose.body)),
        signal: AbortSignal.timeout(form === null ? voice.ms : FORM_MS),
      }))
    body = await readBody(response)
  } catch {
    callWent(false)
    throw new CallError({ kind: 'offline' })
  }
  callWent(true)
  if (!early) learnServerTime(response.headers.get('Date'), performance.now() - startedAt)
  if (!response.ok) {
    const problem = readProblem(response.status, response.headers.get('Retry-After'), body)
    const isWanted = problem.kind === 'forbidden' && problem.reason === 'proof_wanted' && problem.wanted
    if (isWanted && (await isShown(isWanted))) return await request(endpoint, loose)
    throw new CallError(problem)
  }
  return body
}
