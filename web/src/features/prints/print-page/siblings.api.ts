import type { Args } from '@vigil/contract/endpoint.ts'
import { listPrints } from '@vigil/contract/prints/prints.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

type Query = Omit<Args<typeof listPrints>['query'], 'start' | 'limit'>

/** A few rows of the history. */
export const siblingsQuery = (query: Query, span: { start: number; limit: number }) =>
  queryOptions({
    queryKey: ['prints', 'siblings', query, span] as const,
    queryFn: () => call(listPrints, { query: { ...query, ...span } }),
  })
