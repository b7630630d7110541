import type { Factor } from '@vigil/contract/people/proof.ts'

/** What the server wants to see before it goes on. */
export interface Wanted {
  readonly factors: readonly Factor[]
  readonly hasPassword: boolean
  /** Of a sign-in that has begun. */
  readonly ticket: string
}

type Ask = (wanted: Wanted) => Promise<boolean>
let ask: Ask | null = null

/** Who asks people to show once more that it is they; until the returned function is called. */
export function onProofWanted(fn: Ask): () => void {
  ask = fn
  return () => {
    if (ask === fn) ask = null
  }
}

/** True when it was shown: what was refused is asked for again. */
export const isShown = async (wanted: Wanted): Promise<boolean> => (await ask?.(wanted)) ?? false

const isFactor = (word: unknown): word is Factor =>
  word === 'totp' || word === 'passkey' || word === 'recovery'

export function readWanted(body: Record<string, unknown>): Wanted {
  const { factors, ticket, has_password: hasPassword } = body
  return {
    factors: Array.isArray(factors) ? factors.filter(isFactor) : [],
    ticket: typeof ticket === 'string' ? ticket : '',
    hasPassword: hasPassword === true,
  }
}
