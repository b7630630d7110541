import { PASSTHRU_ERRORS, PASSTHRU_TIMEOUT_MS, type PassthruRefusal } from '@vigil/contract/core/passthru.ts'
import type { Call } from './driver.ts'

/** Why a call came to nothing: ours by its code, or what the agent said. */
export class CallRefused extends Error {
  readonly code: PassthruRefusal | null
  constructor(code: PassthruRefusal | null, said?: string) {
    super(said ?? (code ? PASSTHRU_ERRORS[code] : ''))
    this.code = code
  }
}

interface Waiting {
  resolve: (ret: unknown) => void
  reject: (why: CallRefused) => void
  timer: ReturnType<typeof setTimeout>
}

const waiting = new Map<string, Waiting>()

/** Random and long: agents ignore one that they have seen. Works without TLS, where randomUUID does not. */
function newRef(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

function settle(ref: string): Waiting | undefined {
  const one = waiting.get(ref)
  clearTimeout(one?.timer)
  waiting.delete(ref)
  return one
}

/** Asks the printer at the other end of `send`, which says whether its line is open. */
export function ask(send: (message: unknown) => boolean, call: Call): Promise<unknown> {
  const ref = newRef()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(ref)?.reject(new CallRefused('timeout')), PASSTHRU_TIMEOUT_MS)
    waiting.set(ref, { resolve, reject, timer })
    if (!send({ passthru: { ref, ...call } })) settle(ref)?.reject(new CallRefused('offline'))
  })
}

const isRefusal = (code: unknown): code is PassthruRefusal =>
  typeof code === 'string' && Object.hasOwn(PASSTHRU_ERRORS, code)

/** An agent's own words, if it has any. */
function spoken(error: unknown): string | null {
  if (typeof error === 'string') return error.slice(0, 300) || null
  const message = (error as { message?: unknown } | null)?.message
  return typeof message === 'string' ? message.slice(0, 300) : null
}

/** Hands an answer to whoever waits for it. */
export function hearAnswer(message: unknown): void {
  const item = (message as { passthru?: Record<string, unknown> } | null)?.passthru
  const ref = item?.['ref']
  if (!item || (typeof ref !== 'string' && typeof ref !== 'number')) return
  const one = settle(String(ref))
  if (!one) return
  const { error, code } = item
  if (error === undefined || error === null || error === '') one.resolve(item['ret'] ?? null)
  else one.reject(new CallRefused(isRefusal(code) ? code : null, spoken(error) ?? undefined))
}
