import { queryOptions } from '@tanstack/react-query'
import { getGCodeStorage } from '@vigil/contract/files/gcode-files.ts'
import { getTunnelUsage } from '@vigil/contract/remote/tunnels.ts'
import { getDetectionHours } from '@vigil/contract/shop/hours.ts'
import { call } from '../../../lib/call.ts'

const FIRST_MS = 4_000
const THEN_MS = 15_000

/** Hours of AI detection that are left. */
export const hoursQuery = queryOptions({
  queryKey: ['hours'] as const,
  queryFn: () => call(getDetectionHours),
})

/** What was carried this month; followed where there is a cap. */
export const tunnelUsageQuery = queryOptions({
  queryKey: ['tunnel-usage'] as const,
  queryFn: () => call(getTunnelUsage),
  refetchInterval: ({ state }) => {
    if (state.data?.monthly_cap === -1) return false
    return state.dataUpdateCount < 2 ? FIRST_MS : THEN_MS
  },
})

/** How much room the cloud store has; asked anew with all that is asked of its files. */
export const storageQuery = queryOptions({
  queryKey: ['g-code', 'storage'] as const,
  queryFn: () => call(getGCodeStorage),
  staleTime: 0,
})
