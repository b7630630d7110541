import { endOtherSessions, endSession, listSessions } from '@vigil/contract/people/sessions.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

const sessionsQuery = queryOptions({ queryKey: ['sessions'], queryFn: () => call(listSessions) })

/** Where the account is signed in. */
export const useSessions = () => useQuery(sessionsQuery)

/** Signs one of them out, or all others. */
export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number | 'others') =>
      id === 'others' ? call(endOtherSessions) : call(endSession, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}
