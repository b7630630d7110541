import {
  addToQueue,
  changeQueueEntry,
  changeQueuePrinter,
  clearBed,
  getQueue,
  moveInQueue,
  type Queue,
  removeFromQueue,
  unclearBed,
} from '@vigil/contract/files/queue.ts'
import type { Args } from '@vigil/contract/endpoint.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useProblemText } from '../../../ui/Notice.tsx'

/** The queue of the account: it moves by itself, so it is asked for again and again. */
export const queueQuery = queryOptions({
  queryKey: ['queue'] as const,
  queryFn: () => call(getQueue),
  refetchInterval: 4_000,
})

/** Each answers how the queue stands then. */
export const queueCalls = {
  add: (body: Args<typeof addToQueue>['body']) => call(addToQueue, { body }),
  change: (id: number, body: Args<typeof changeQueueEntry>['body']) =>
    call(changeQueueEntry, { params: { id }, body }),
  remove: (id: number) => call(removeFromQueue, { params: { id } }),
  move: (id: number, after: number | null, version: number) =>
    call(moveInQueue, { params: { id }, body: { after, version } }),
  enable: (id: number, enabled: boolean) => call(changeQueuePrinter, { params: { id }, body: { enabled } }),
  clear: (id: number, bed: number) => call(clearBed, { params: { id }, body: { bed } }),
  unclear: (id: number) => call(unclearBed, { params: { id } }),
}

/** Changes the queue, and shows it as it then is; what is refused is said, and shown as it stands. */
export function useQueueChange() {
  const client = useQueryClient()
  const problemText = useProblemText()
  return useMutation({
    mutationFn: async (change: () => Promise<Queue>) => {
      await client.cancelQueries({ queryKey: queueQuery.queryKey })
      return await change()
    },
    onSuccess: (queue) => client.setQueryData(queueQuery.queryKey, queue),
    onError: (error) => {
      toast(problemText(problemOf(error)), 'failed')
      void client.invalidateQueries({ queryKey: queueQuery.queryKey })
    },
  })
}

export type Change = ReturnType<typeof useQueueChange>
