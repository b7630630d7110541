import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { problemOf } from '../../../lib/errors.ts'
import { useUser } from '../../../lib/session.ts'
import { useAccountLine } from '../../../printer/live/account-line.ts'
import { useFeed } from '../../../printer/live/feed.ts'
import { eventsIn, eventsQuery, markSeen, readHead } from './events.api.ts'
import type { Filters } from './filters.ts'

/** The events that pass the filters, as far as one has scrolled; what comes while one reads is put on top of them. */
export function useEvents(filters: Filters, before: () => void) {
  const client = useQueryClient()
  const query = useInfiniteQuery(eventsQuery(filters))
  useAccountLine()
  const newest = useFeed()?.newest
  const isHeld = query.data !== undefined
  useEffect(() => {
    // A lost line says itself that it is lost; the next word of it comes here again.
    if (isHeld && newest) readHead(client, filters, { newest, before }).catch(() => undefined)
  }, [client, filters, before, newest, isHeld])
  return {
    events: useMemo(() => eventsIn(query.data), [query.data]),
    isPending: query.isPending,
    problem: query.isError ? problemOf(query.error) : null,
    retry: () => void (isHeld ? query.fetchNextPage() : query.refetch()),
    hasMore: query.hasNextPage,
    isReading: query.isFetchingNextPage,
    more: () => {
      if (query.hasNextPage && !query.isFetchingNextPage && !query.isError) void query.fetchNextPage()
    },
  }
}

/** While the first event is on the screen of somebody who looks, nothing is unseen. */
export function useSeen(isTopSeen: boolean): void {
  const { unseen_printer_events: unseen } = useUser()
  const [isLooking, setIsLooking] = useState(!document.hidden)
  useEffect(() => {
    const look = () => setIsLooking(!document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  useEffect(() => {
    if (!isTopSeen || !isLooking || unseen === 0) return
    // The account's line says what came of it, on every page that is open.
    markSeen().catch(() => undefined)
  }, [isTopSeen, isLooking, unseen])
}

/** How many events stand above the one that was the first while the top was last seen. */
export function useAbove(ids: readonly number[], isTopSeen: boolean): number {
  const [first, setFirst] = useState<number>()
  const top = ids[0]
  useEffect(() => {
    if (isTopSeen || first === undefined || !ids.includes(first)) setFirst(top)
  }, [isTopSeen, top, first, ids])
  return first === undefined ? 0 : Math.max(0, ids.indexOf(first))
}
