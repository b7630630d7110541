import { listPrints, type Print } from '@vigil/contract/prints/prints.ts'
import { getTimelapse } from '@vigil/contract/prints/timelapse.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

const SHOWN = 24
const LOOK_MS = 2_000

export const uploadsKey = ['uploaded-prints'] as const

/** The newest films that were uploaded. */
export const uploadsQuery = queryOptions({
  queryKey: uploadsKey,
  queryFn: () => call(listPrints, { query: { uploaded: 'true', limit: SHOWN } }),
})

/** How far the analysis of one is; asked again as long as it goes on. */
export const analysisQuery = (id: number) =>
  queryOptions({
    queryKey: ['timelapse', id] as const,
    queryFn: () => call(getTimelapse, { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || ['waiting', 'working'].includes(data.state) ? LOOK_MS : false,
  })

/** The gauge of each picture of a film. */
export const predictionsQuery = (print: Print) =>
  queryOptions({
    queryKey: ['predictions', print.id] as const,
    queryFn: async ({ signal }): Promise<unknown[]> => {
      const answer = await fetch(print.prediction_json_url, { signal }).catch(() => null)
      const body: unknown = answer?.ok ? await answer.json().catch(() => null) : null
      return Array.isArray(body) ? body : []
    },
    staleTime: Infinity,
  })
