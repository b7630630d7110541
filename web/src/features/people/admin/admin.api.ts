import {
  actAs,
  changePerson,
  getPerson,
  listPeople,
  type PEOPLE_STATES,
  resetPersonFactors,
  stopActing,
  type WholePerson,
} from '@vigil/contract/people/directory.ts'
import {
  listWrittenNotices,
  type NoticeWrite,
  removeNotice,
  rewriteNotice,
  writeNotice,
} from '@vigil/contract/people/notices.ts'
import {
  countDisk,
  getSystem,
  type JOB_STATES,
  listJobs,
  listOwed,
  type OWED_STATES,
  retryJob,
  retryOwed,
  sendTestMail,
} from '@vigil/contract/people/operations.ts'
import {
  type BrandWrite,
  changeBrand,
  type FeatureFlag,
  getSite,
  resetBrand,
  type Site,
  turnFlag,
} from '@vigil/contract/people/site.ts'
import { listPersonPayments, refundPayment } from '@vigil/contract/shop/payments.ts'
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { bootstrapQuery } from '../../../lib/session.ts'

const KEY = ['admin'] as const
const ROWS = 50
/** Jobs, messages and the system change by themselves. */
const AGAIN_MS = 5_000

export type PeopleState = (typeof PEOPLE_STATES)[number]

const peopleQuery = (q: string, state: PeopleState) =>
  infiniteQueryOptions({
    queryKey: [...KEY, 'people', q, state],
    queryFn: ({ pageParam }) => call(listPeople, { query: { q, state, start: pageParam, limit: ROWS } }),
    initialPageParam: 0,
    getNextPageParam: (page, all) => (page.people.length < ROWS ? undefined : all.length * ROWS),
  })
/** People who have an account, found by a word. */
export const usePeople = (q: string, state: PeopleState) => useInfiniteQuery(peopleQuery(q, state))

const personKey = (id: number) => [...KEY, 'person', id]
export const usePerson = (id: number) =>
  useQuery({ queryKey: personKey(id), queryFn: () => call(getPerson, { params: { id } }), retry: false })

/** What changes somebody answers with them as they are now. */
function usePersonChange<T>(id: number, mutationFn: (wish: T) => Promise<WholePerson>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async (person) => {
      client.setQueryData(personKey(id), person)
      await client.invalidateQueries({ queryKey: KEY })
    },
  })
}
export const useChangePerson = (id: number) =>
  usePersonChange(id, (body: { is_active?: boolean; plan?: 'free' | 'pro'; mobile_app_canary?: boolean }) =>
    call(changePerson, { params: { id }, body }),
  )
export const useResetFactors = (id: number) =>
  usePersonChange(id, () => call(resetPersonFactors, { params: { id } }))

const paymentsKey = (id: number) => [...personKey(id), 'payments']
export const usePersonPayments = (id: number) =>
  useQuery({
    queryKey: paymentsKey(id),
    queryFn: () => call(listPersonPayments, { params: { id } }),
    retry: false,
  })
/** The plan may end with it. */
export function useRefund(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ payment, endPlan }: { payment: number; endPlan: boolean }) =>
      call(refundPayment, { params: { id, payment }, body: { end_plan: endPlan } }),
    onSuccess: (payments) => {
      client.setQueryData(paymentsKey(id), payments)
      return client.invalidateQueries({ queryKey: personKey(id), exact: true })
    },
  })
}

/** From then on all is of somebody else: the page is loaded anew. */
export const useActAs = (id: number) =>
  useMutation({ mutationFn: (reason: string) => call(actAs, { params: { id }, body: { reason } }) })
export const useStopActing = () => useMutation({ mutationFn: () => call(stopActing) })

const noticesQuery = queryOptions({ queryKey: [...KEY, 'notices'], queryFn: () => call(listWrittenNotices) })
export const useWrittenNotices = () => useQuery(noticesQuery)

function useNoticeChange<T>(mutationFn: (wish: T) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: noticesQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['notices'] }),
      ]),
  })
}
/** A new notice, or one that stands written anew. */
export const useWriteNotice = (id: number | null) =>
  useNoticeChange((body: NoticeWrite) =>
    id === null ? call(writeNotice, { body }) : call(rewriteNotice, { params: { id }, body }),
  )
export const useRemoveNotice = () => useNoticeChange((id: number) => call(removeNotice, { params: { id } }))

const siteQuery = queryOptions({ queryKey: [...KEY, 'site'], queryFn: () => call(getSite) })
export const useSite = () => useQuery(siteQuery)

/** The page around is dressed anew, too. */
function useSiteChange<T>(mutationFn: (wish: T) => Promise<Site>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async (site) => {
      client.setQueryData(siteQuery.queryKey, site)
      await client.invalidateQueries({ queryKey: bootstrapQuery.queryKey })
    },
  })
}
export const useChangeBrand = (name: string) =>
  useSiteChange((body: BrandWrite) => call(changeBrand, { params: { name }, body }))
export const useResetBrand = (name: string) => useSiteChange(() => call(resetBrand, { params: { name } }))
export const useTurnFlag = (name: FeatureFlag) =>
  useSiteChange((value: boolean | null) => call(turnFlag, { params: { name }, body: { value } }))

export type JobsState = (typeof JOB_STATES)[number]
export type OwedState = (typeof OWED_STATES)[number]

export const useJobs = (state: JobsState) =>
  useQuery({
    queryKey: [...KEY, 'jobs', state],
    queryFn: () => call(listJobs, { query: { state, limit: 200 } }),
    refetchInterval: AGAIN_MS,
  })
export const useOwed = (state: OwedState) =>
  useQuery({
    queryKey: [...KEY, 'outbox', state],
    queryFn: () => call(listOwed, { query: { state, limit: 200 } }),
    refetchInterval: AGAIN_MS,
  })

function useRetry(name: 'jobs' | 'outbox', mutationFn: (id: string) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: [...KEY, name] }) })
}
export const useRetryJob = () => useRetry('jobs', (id) => call(retryJob, { params: { id } }))
export const useRetryOwed = () => useRetry('outbox', (id) => call(retryOwed, { params: { id } }))
export const useTestMail = () =>
  useMutation({ mutationFn: (email: string) => call(sendTestMail, { body: { email } }) })

const systemQuery = queryOptions({
  queryKey: [...KEY, 'system'],
  queryFn: () => call(getSystem),
  refetchInterval: AGAIN_MS,
})
export const useSystem = () => useQuery(systemQuery)
export function useCountDisk() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(countDisk),
    onSuccess: (system) => client.setQueryData(systemQuery.queryKey, system),
  })
}
