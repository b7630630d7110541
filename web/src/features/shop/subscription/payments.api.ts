import {
  cancelSubscription,
  changeSubscription,
  getPackCheckout,
  getPortalSession,
  getProCheckout,
  listPayments,
  type PlanWish,
  previewChange,
  resumeSubscription,
} from '@vigil/contract/shop/payments.ts'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { bootstrapQuery } from '../../../lib/session.ts'

export type { PlanWish } from '@vigil/contract/shop/payments.ts'

export const paymentsQuery = queryOptions({
  queryKey: ['subscription', 'payments'] as const,
  queryFn: () => call(listPayments),
})

/** What a change comes to; while it is asked, what the one before came to stays. Nothing is kept: after a change all come to something else. */
export const usePreview = (wish: PlanWish, enabled: boolean) =>
  useQuery({
    queryKey: ['plan-preview', wish],
    queryFn: () => call(previewChange, { body: wish }),
    enabled,
    retry: false,
    gcTime: 0,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

/** What changes a plan changes what is read with the account, too. */
function usePlanChange<T>(mutationFn: (wish: T) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all(
        [['subscription'], ['hours'], bootstrapQuery.queryKey].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}

export const useChangePlan = () =>
  usePlanChange((body: PlanWish & { agreed_at?: string }) => call(changeSubscription, { body }))
export const useCancelPlan = (id: number) =>
  usePlanChange((reason: string) =>
    call(cancelSubscription, { params: { id }, body: { reason, acknowledged: true } }),
  )
export const useResumePlan = (id: number) => usePlanChange(() => call(resumeSubscription, { params: { id } }))

/** Pages of who takes the money. */
export const openPlan = ({ billing_cycle: cycle, printers, dhpack_level }: PlanWish) =>
  call(getProCheckout, {
    query: { plan: 'pro', annual: cycle === 'annual', printers, dhpack_level },
  })
export const openPack = (level: string) => call(getPackCheckout, { query: { dhpack_level: level } })
export const openPortal = () => call(getPortalSession, { query: {} })
