import { askPasskey, type PasskeyAnswer } from '@vigil/contract/people/factors.ts'
import { call } from '../../../lib/call.ts'

/** Browsers know passkeys over https and on this machine, at a name. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]{7,15}$|^\[/.test(location.hostname)

/** The person's authenticator answers: of a sign-in that has begun, of who is signed in, or any. Raises when it is called off. */
export async function answerOf(ticket?: string): Promise<PasskeyAnswer> {
  const { key, options } = await call(askPasskey, { body: ticket === undefined ? {} : { ticket } })
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const answer = await startAuthentication({ optionsJSON: options })
  return { key, response: { ...answer, clientExtensionResults: {} } }
}

/** A code that was typed, or the authenticator. */
export type Given = { code: string } | 'passkey'

/** What is sent of it. */
export const shownBy = async (given: Given, ticket?: string) =>
  given === 'passkey' ? { passkey: await answerOf(ticket) } : given
