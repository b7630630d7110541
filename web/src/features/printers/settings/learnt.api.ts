import { deleteLearnt, getLearnt, type Learnt } from '@vigil/contract/watch/camera-memory.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

export function learntQuery(printerId: number) {
  return queryOptions({
    queryKey: ['learnt', printerId] as const,
    queryFn: () => call(getLearnt, { params: { id: printerId } }),
  })
}

export const forgetLearnt = (printerId: number): Promise<Learnt> =>
  call(deleteLearnt, { params: { id: printerId } })
