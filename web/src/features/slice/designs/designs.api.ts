import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  bringDesign,
  DESIGNS_PAGE,
  getDesign,
  listDesignComments,
  listDesignFiles,
  listDesignImages,
  listDesigns,
} from '@vigil/contract/slice/designs.ts'
import { call } from '../../../lib/call.ts'

/** Once more by itself is enough: the page says what is wrong, and has a button. */
const GOOD_MS = 600_000

export const designsQuery = (keyword: string) =>
  infiniteQueryOptions({
    queryKey: ['designs', keyword],
    queryFn: ({ pageParam }) => call(listDesigns, { query: { keyword, page: pageParam } }),
    initialPageParam: 1,
    // The end is reached when fewer come than a page has.
    getNextPageParam: ({ hits }, _, page) => (hits.length < DESIGNS_PAGE ? undefined : page + 1),
    staleTime: GOOD_MS,
  })

const of = (id: number) => ({ params: { id } })
export const designQuery = (id: number) =>
  queryOptions({ queryKey: ['design', id], queryFn: () => call(getDesign, of(id)), staleTime: GOOD_MS })
export const imagesQuery = (id: number) =>
  queryOptions({
    queryKey: ['design', id, 'images'],
    queryFn: () => call(listDesignImages, of(id)),
    staleTime: GOOD_MS,
  })
export const commentsQuery = (id: number) =>
  queryOptions({
    queryKey: ['design', id, 'comments'],
    queryFn: () => call(listDesignComments, of(id)),
    staleTime: GOOD_MS,
  })
export const filesQuery = (id: number) =>
  queryOptions({
    queryKey: ['design', id, 'files'],
    queryFn: () => call(listDesignFiles, of(id)),
    staleTime: GOOD_MS,
  })

/** Brings files of a design among one's models. */
export const bring = (id: number, file_ids: number[]) => call(bringDesign, { ...of(id), body: { file_ids } })
