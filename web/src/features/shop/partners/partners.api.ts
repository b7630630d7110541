import { queryOptions } from '@tanstack/react-query'
import { getPartner } from '@vigil/contract/shop/coupons.ts'
import { call } from '../../../lib/call.ts'

/** Whose page it is, and what a code looks to be for. */
export const partnerQuery = (partner: string, code: string) =>
  queryOptions({
    queryKey: ['partner', partner, code] as const,
    queryFn: () => call(getPartner, { params: { partner }, query: { coupon_code: code } }),
    retry: false,
  })
