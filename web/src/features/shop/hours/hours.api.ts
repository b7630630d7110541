import { getDetectionHours, listHourTransactions } from '@vigil/contract/shop/hours.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

const PAGE = 24

export const hoursQuery = queryOptions({
  queryKey: ['hours'] as const,
  queryFn: () => call(getDetectionHours),
})

/** What was gained and spent, newest first; a short page is the last one. */
export const transactionsQuery = infiniteQueryOptions({
  queryKey: ['hours', 'transactions'] as const,
  queryFn: ({ pageParam }) => call(listHourTransactions, { query: { start: pageParam, limit: PAGE } }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
})
