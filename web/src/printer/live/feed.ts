import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import type { AccountFrameOut } from '@vigil/contract/sockets.ts'
import { bootstrapQuery } from '../../lib/session.ts'

/** How many events of the account are unseen, and which came last. */
export type Feed = NonNullable<AccountFrameOut['feed']>

const KEY = ['feed'] as const

/** What a frame says of the account's events; null for nothing. */
export const feedOf = (message: unknown): Feed | null => (message as AccountFrameOut | null)?.feed ?? null

/** Shows it wherever it is shown: in the badge of the side bar, and on the page of events. */
export function applyFeed(client: QueryClient, feed: Feed): void {
  client.setQueryData<Feed>(KEY, feed)
  const { unseen } = feed
  client.setQueryData(bootstrapQuery.queryKey, (held) =>
    held?.user && held.user.unseen_printer_events !== unseen
      ? { ...held, user: { ...held.user, unseen_printer_events: unseen } }
      : held,
  )
}

/** What the account's line said last; undefined while it has said nothing. */
export function useFeed(): Feed | undefined {
  return useQuery<Feed>({ queryKey: KEY, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity }).data
}
