import { queryOptions, useQuery } from '@tanstack/react-query'
import { getPricing } from '@vigil/contract/shop/subscriptions.ts'
import { call } from '../../../lib/call.ts'
import { useBootstrap } from '../../../lib/session.ts'

/** What plans give and cost, of the brand that is shown. */
export const pricingQuery = queryOptions({
  queryKey: ['pricing'] as const,
  queryFn: () => call(getPricing),
  staleTime: 300_000,
})

/** The same; nothing is asked where there are no plans. */
export function usePricing() {
  const { settings } = useBootstrap()
  return useQuery({ ...pricingQuery, enabled: settings.IS_ENT })
}
