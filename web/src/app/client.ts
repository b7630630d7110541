import { notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { problemOf } from '../lib/errors.ts'
import { bootstrapQuery } from '../lib/session.ts'

/** A refused read may mean that the session ended: ask again who we are, the root does the rest. */
function onRefused(error: Error): void {
  if (problemOf(error).kind === 'forbidden')
    void client.invalidateQueries({ queryKey: bootstrapQuery.queryKey })
}

// What a tick of the clock brings is shown in one frame with the tick itself.
notifyManager.setScheduler(queueMicrotask)

export const client = new QueryClient({
  queryCache: new QueryCache({ onError: onRefused }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      retry: (count, error) => count < 2 && ['offline', 'server'].includes(problemOf(error).kind),
    },
    mutations: { networkMode: 'always' },
  },
})
