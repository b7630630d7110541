import { getReach } from '@vigil/contract/tell/notifications.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'

export const reachKey = ['notifications', 'reach'] as const

/** Whether an alert would reach the owner; asked again while the page is open. */
export const reachQuery = queryOptions({
  queryKey: reachKey,
  queryFn: () => call(getReach),
  staleTime: 60_000,
  refetchInterval: 60_000,
})
