import { getHeat } from '@vigil/contract/printers/printers.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** `stamp` moves with each look, so that the map is read again after it. */
export function heatQuery(printerId: number, { ofAlert, stamp }: { ofAlert: boolean; stamp: string | null }) {
  return queryOptions({
    queryKey: ['heat', printerId, ofAlert, stamp] as const,
    queryFn: () => call(getHeat, { params: { id: printerId }, query: ofAlert ? { alert: 'true' } : {} }),
    staleTime: Infinity,
    gcTime: 30_000,
    placeholderData: keepPreviousData,
  })
}
