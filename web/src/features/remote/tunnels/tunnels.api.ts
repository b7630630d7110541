import { createTunnel, getTunnelUsage } from '@vigil/contract/remote/tunnels.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

const FIRST_MS = 4_000
const THEN_MS = 15_000

/** What was carried this month; followed where there is a cap. */
export const usageQuery = queryOptions({
  queryKey: ['tunnel-usage'],
  queryFn: () => call(getTunnelUsage),
  refetchInterval: ({ state }) => {
    if (state.data?.monthly_cap === -1) return false
    return state.dataUpdateCount < 2 ? FIRST_MS : THEN_MS
  },
})

interface Wanted {
  readonly app: string
  readonly printerId: number
}

/** Lets an app reach a printer's own page; the answer holds the password, this once. */
export function useAuthorize() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ app, printerId }: Wanted) =>
      call(createTunnel, { body: { app_name: app, target_printer_id: printerId } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['tunnels'] }),
    // Nothing of it stays behind when the page is left.
    gcTime: 0,
  })
}
