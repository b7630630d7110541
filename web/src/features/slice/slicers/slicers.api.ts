import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  listAuthorizedApps,
  revokeApiKey,
  revokeAuthorizedApp,
} from '@vigil/contract/people/tokens.ts'
import { deleteTunnel, listTunnels } from '@vigil/contract/remote/tunnels.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

const keysQuery = queryOptions({ queryKey: ['api-keys'], queryFn: () => call(listApiKeys) })
const appsQuery = queryOptions({ queryKey: ['authorized-apps'], queryFn: () => call(listAuthorizedApps) })

const tunnelsQuery = queryOptions({ queryKey: ['tunnels'], queryFn: () => call(listTunnels) })

export const useKeys = () => useQuery(keysQuery)
export const useApps = () => useQuery(appsQuery)
/** Apps that reach printers through the tunnel. */
export const useTunnels = () => useQuery(tunnelsQuery)

interface Wanted {
  readonly name: string
  readonly scope: ApiKey['scope']
  readonly printer_id?: number | null
  readonly printer_ids?: number[] | null
  readonly days: number | null
}

/** Makes a key; the answer has it in words, this once. */
export function useMakeKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Wanted) => call(createApiKey, { body }),
    onSettled: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
    // Nothing of it stays behind when the page is left.
    gcTime: 0,
  })
}

export function useRevokeKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(revokeApiKey, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  })
}

export function useRevokeApp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(revokeAuthorizedApp, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: appsQuery.queryKey }),
  })
}

/** Shuts an app out of the tunnel; what it has open ends at once. */
export function useRevokeTunnel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deleteTunnel, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: tunnelsQuery.queryKey }),
  })
}
