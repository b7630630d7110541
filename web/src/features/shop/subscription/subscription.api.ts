import { queryOptions, useQuery } from '@tanstack/react-query'
import { getActiveSubscription, listSubscriptions } from '@vigil/contract/shop/subscriptions.ts'
import { call } from '../../../lib/call.ts'
import { useBootstrap } from '../../../lib/session.ts'

export const activeQuery = queryOptions({
  queryKey: ['subscription', 'active'] as const,
  queryFn: () => call(getActiveSubscription),
})

export const historyQuery = queryOptions({
  queryKey: ['subscription', 'history'] as const,
  queryFn: () => call(listSubscriptions),
})

/** Whether one more printer may be in use; without plans always. */
export function usePlan(): { hasRoom: boolean } {
  const { settings } = useBootstrap()
  const { data } = useQuery({ ...activeQuery, enabled: settings.IS_ENT })
  return { hasRoom: !settings.IS_ENT || data?.over_subscribed === true }
}
