import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  type Factors,
  keepFactors,
  prove,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  showFactors,
} from '@vigil/contract/people/factors.ts'
import { connectIdentity, disconnectIdentity, listIdentities } from '@vigil/contract/people/identities.ts'
import { changePassword, setFirstPassword } from '@vigil/contract/people/passwords.ts'
import { endOtherSessions, endSession, listSessions } from '@vigil/contract/people/sessions.ts'
import { type QueryKey, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { type Given, shownBy } from '../door/index.ts'

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

/** A change; what the page shows by that query is asked anew. */
function useChangeOf<T, A>({ queryKey }: { queryKey: QueryKey }, change: (given: A) => Promise<T>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSettled: () => client.invalidateQueries({ queryKey }) })
}

const useChange = <T, A>(change: (given: A) => Promise<T>) => useChangeOf(factorsQuery, change)

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

export const useChangePassword = () =>
  useMutation({ mutationFn: (body: { old: string; new: string }) => call(changePassword, { body }) })

export const useSetFirstPassword = () =>
  useMutation({ mutationFn: (password: string) => call(setFirstPassword, { body: { new: password } }) })

const identitiesQuery = queryOptions({ queryKey: ['identities'], queryFn: () => call(listIdentities) })

/** Providers by which one signs in. */
export const useIdentities = () => useQuery(identitiesQuery)

/** Connects a provider: the browser goes there, and comes back. */
export const useConnect = () =>
  useMutation({
    mutationFn: (provider: string) => call(connectIdentity, { body: { provider } }),
    onSuccess: ({ url }) => location.assign(url),
  })

export const useDisconnect = () =>
  useChangeOf(identitiesQuery, (id: number) => call(disconnectIdentity, { params: { id } }))

const sessionsQuery = queryOptions({ queryKey: ['sessions'], queryFn: () => call(listSessions) })

/** Where the account is signed in. */
export const useSessions = () => useQuery(sessionsQuery)

/** Signs one of them out, or all others. */
export const useEndSession = () =>
  useChangeOf(sessionsQuery, (id: number | 'others') =>
    id === 'others' ? call(endOtherSessions) : call(endSession, { params: { id } }),
  )
