import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listHourCoupons, redeemHourCoupon } from '@vigil/contract/shop/coupons.ts'
import { call } from '../../../lib/call.ts'
import { bootstrapQuery } from '../../../lib/session.ts'
import { hoursQuery } from '../usage/index.ts'

/** Codes for hours that the account has redeemed, newest first. */
export const couponsQuery = queryOptions({
  queryKey: ['coupons'] as const,
  queryFn: () => call(listHourCoupons),
})

/** Redeems a code; the balance is then another, wherever it is shown. */
export function useRedeemHours() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call(redeemHourCoupon, { body: { code } }),
    onSuccess: () =>
      Promise.all(
        [couponsQuery, hoursQuery, bootstrapQuery].map(({ queryKey }) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
