import { type Fields, fieldsOf } from '@vigil/contract/fields.ts'
import { mayBeNamed } from '../../../engines/outgoing/guard.ts'
import { type Answered, NoAnswer, type Outgoing } from '../../../engines/outgoing/send.ts'
import {
  type ChannelConfig,
  type Checking,
  type Message,
  NotAccepted,
  refuse,
  say,
  textField,
} from './port.ts'

const SAID_MOST = 200

/** Seconds of Retry-After, as milliseconds; a date is not understood. */
function againAfter({ headers }: Answered): number | null {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}

/** Too early, too often, too slow: the same call may succeed later. */
const LATER: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** Raises `NotAccepted` unless a receiver has accepted: 2xx. `said` is its own word for it. */
export function mustAccept(answer: Answered, said?: string, againAfterMs = againAfter(answer)): Answered {
  const { status, text } = answer
  if (status >= 200 && status < 300) return answer
  const why = (said ?? text)
    .slice(0, 10 * SAID_MOST)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, SAID_MOST)
  const isFinal = status < 500 && !LATER.has(status)
  throw new NotAccepted(`HTTP ${status}${why === '' ? '' : `: ${why}`}`, { isFinal, againAfterMs })
}

/** Posts JSON; raises `NotAccepted` unless it is accepted. */
export async function postJson(
  { http }: Pick<Message, 'http'>,
  call: Pick<Outgoing, 'url' | 'namedBy' | 'headers'>,
  body: unknown,
): Promise<Answered> {
  const headers = { 'content-type': 'application/json', ...call.headers }
  return mustAccept(await ask({ http }, { ...call, headers, body: JSON.stringify(body) }))
}

/** Posts a form with files; raises `NotAccepted` unless it is accepted. */
export async function postForm(
  { http }: Pick<Message, 'http'>,
  call: Pick<Outgoing, 'url' | 'namedBy' | 'headers'>,
  form: FormData,
): Promise<Answered> {
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', ...call.headers }
  const body = new Uint8Array(await encoded.arrayBuffer())
  return await ask({ http }, { ...call, headers, body })
}

/** A call whose failure to be answered is a message that was not accepted. */
export async function ask({ http }: Pick<Message, 'http'>, call: Outgoing): Promise<Answered> {
  try {
    return await http(call)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    const { why, host, code, isRefused } = error
    throw new NotAccepted(say(why, { host, code }), { isFinal: isRefused })
  }
}

/** A JSON answer; an empty object when it is none. */
export function jsonOf({ text }: Answered): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Whether a refusal is of what was sent with the words, so that the words alone may be taken. */
export const isOfForm = ({ status }: Answered): boolean => status === 400 || status === 413 || status === 415

/** A web address of the configuration; raises 400 when it is none, or one that may not be called. */
export async function addressField(
  given: ChannelConfig,
  field: string,
  { env }: Pick<Checking, 'env'>,
): Promise<URL> {
  const url = URL.parse(textField(given, field, 2000))
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw refuse(field, 'badAddress')
  await requireCallable(env, field, url.href)
  return url
}

/** Raises 400 for an address that may not be called. */
export async function requireCallable(env: Message['env'], field: string, url: string): Promise<void> {
  if (!(await mayBeNamed(env, url))) throw refuse(field, 'mayNotBeCalled', { host: hostOf(url) })
}

/** The host of an address that was checked before. */
export const hostOf = (address: unknown): string => URL.parse(String(address))?.host ?? ''

/** A picture for a form. */
export const fileOf = (picture: Uint8Array) => new Blob([Uint8Array.from(picture)], { type: 'image/jpeg' })
