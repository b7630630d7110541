import {
  addPasskey,
  askPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  type Factors,
  keepFactors,
  loginFactor,
  loginPasskey,
  type PasskeyAnswer,
  prove,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  showFactors,
} from '@vigil/contract/people/factors.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { useSetUser } from '../../../lib/session.ts'

/** Browsers know passkeys over https and on this machine, at a name. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]{7,15}$|^\[/.test(location.hostname)

/** The person's authenticator answers: of a sign-in that has begun, of who is signed in, or any. Raises when it is called off. */
async function answerOf(ticket?: string): Promise<PasskeyAnswer> {
  const { key, options } = await call(askPasskey, { body: ticket === undefined ? {} : { ticket } })
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const answer = await startAuthentication({ optionsJSON: options })
  return { key, response: { ...answer, clientExtensionResults: {} } }
}

/** A code that was typed, or the authenticator. */
export type Given = { code: string } | 'passkey'

const shownBy = async (given: Given, ticket?: string) =>
  given === 'passkey' ? { passkey: await answerOf(ticket) } : given

/** The second step of signing in. `link`: what waits to be connected. */
export function useSecondStep(ticket: string, link?: string) {
  const setUser = useSetUser()
  return useMutation({
    mutationFn: async (given: Given) =>
      await call(loginFactor, { body: { ticket, link, ...(await shownBy(given, ticket)) } }),
    onSuccess: setUser,
  })
}

/** Signs in with a passkey alone. */
export function usePasskeyLogin() {
  const setUser = useSetUser()
  return useMutation({
    mutationFn: async () => await call(loginPasskey, { body: { ...(await answerOf()), remember: true } }),
    onSuccess: setUser,
  })
}

/** Shows once more who it is. */
export const useProve = () =>
  useMutation({
    mutationFn: async (given: Given | { password: string }) =>
      await call(prove, {
        body: given !== 'passkey' && 'password' in given ? given : await shownBy(given),
      }),
  })

const factorsQuery = queryOptions({ queryKey: ['factors'], queryFn: () => call(showFactors) })
export const useFactors = () => useQuery(factorsQuery)

function useChange<T, A>(change: (given: A) => Promise<T>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: factorsQuery.queryKey }),
  })
}

export const useBeginTotp = () => useMutation({ mutationFn: () => call(beginTotp) })
export const useConfirmTotp = () => useChange((code: string) => call(confirmTotp, { body: { code } }))
export const useRemoveFactor = () =>
  useChange((one: Factors['passkeys'][number] | 'totp') =>
    one === 'totp' ? call(removeTotp) : call(removePasskey, { params: { id: one.id } }),
  )
export const useNewCodes = () => useChange(() => call(renewRecoveryCodes))
export const useKeepFactors = () =>
  useChange((link: string | null) => call(keepFactors, { body: link === null ? {} : { link } }))

/** Makes a passkey with the person's authenticator. */
export const useAddPasskey = () =>
  useChange(async (name: string) => {
    const { key, options } = await call(beginPasskey)
    const { startRegistration } = await import('@simplewebauthn/browser')
    const { id, rawId, type, response } = await startRegistration({
      optionsJSON: options,
    })
    const { clientDataJSON, attestationObject, transports = [] } = response
    const said = { clientDataJSON, attestationObject, transports }
    return await call(addPasskey, {
      body: { key, name, response: { id, rawId, type, clientExtensionResults: {}, response: said } },
    })
  })
