import {
  decideGalleryEntry,
  type GalleryEntry,
  listGalleryEntries,
  listPublicTimelapses,
} from '@vigil/contract/prints/gallery.ts'
import type { Args } from '@vigil/contract/endpoint.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** The whole gallery: it comes at once, and is shown bit by bit (docs/rules/pages.md 8). */
export const publicQuery = queryOptions({
  queryKey: ['gallery'] as const,
  queryFn: () => call(listPublicTimelapses, { query: {} }),
})

/** The scores of a film, one for each picture; none where they can't be had, then it plays without. */
export function scoresQuery(url: string | null) {
  return queryOptions({
    queryKey: ['film-scores', url] as const,
    queryFn: async (): Promise<unknown[]> => {
      const answer = url === null ? null : await fetch(url).catch(() => null)
      const scores: unknown = answer?.ok ? await answer.json().catch(() => null) : null
      return Array.isArray(scores) ? scores : []
    },
    staleTime: Infinity,
  })
}

export type EntryState = GalleryEntry['state']
const PAGE = 24
const KEY = 'gallery-entries'
export const entriesKey = [KEY] as const

export const entriesQuery = (state: EntryState) =>
  infiniteQueryOptions({
    queryKey: [KEY, state] as const,
    queryFn: ({ pageParam: start }) => call(listGalleryEntries, { query: { state, start, limit: PAGE } }),
    initialPageParam: 0,
    getNextPageParam: ({ entries }, pages) => (entries.length < PAGE ? undefined : pages.length * PAGE),
    refetchInterval: state === 'accepted' ? 2_000 : false,
  })

export const decide = (id: number, body: Args<typeof decideGalleryEntry>['body']) =>
  call(decideGalleryEntry, { params: { id }, body })
