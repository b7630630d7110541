import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type CodesWish, listBatches, makeCodes } from '@vigil/contract/shop/coupons.ts'
import { call } from '../../../lib/call.ts'

/** Codes that were made, and what can be made. */
export const batchesQuery = queryOptions({
  queryKey: ['admin', 'codes'] as const,
  queryFn: () => call(listBatches),
})

/** Makes codes, which are told this once; nothing of them stays behind when the page is left. */
export function useMakeCodes() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: CodesWish) => call(makeCodes, { body }),
    onSettled: () => client.invalidateQueries({ queryKey: batchesQuery.queryKey }),
    gcTime: 0,
  })
}
