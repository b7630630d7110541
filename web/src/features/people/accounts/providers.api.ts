import { connectIdentity, disconnectIdentity, listIdentities } from '@vigil/contract/people/identities.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

const identitiesQuery = queryOptions({ queryKey: ['identities'], queryFn: () => call(listIdentities) })

/** Providers by which one signs in. */
export const useIdentities = () => useQuery(identitiesQuery)

/** Connects a provider: the browser goes there, and comes back. */
export const useConnect = () =>
  useMutation({
    mutationFn: (provider: string) => call(connectIdentity, { body: { provider } }),
    onSuccess: ({ url }) => location.assign(url),
  })

export function useDisconnect() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(disconnectIdentity, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: identitiesQuery.queryKey }),
  })
}
