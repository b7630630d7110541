import {
  acceptInvitation,
  changeMember,
  type HouseholdRole,
  inviteMember,
  listAudit,
  listHouseholds,
  listMembers,
  orderMembers,
  removeMember,
  showInvitation,
} from '@vigil/contract/people/household.ts'
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { printersQuery } from '../../../printer/printers.api.ts'

const KEY = ['households'] as const
/** A page of the log. */
const ROWS = 50

const householdsQuery = queryOptions({ queryKey: KEY, queryFn: () => call(listHouseholds) })
/** One's own account, and those that let one in. */
export const useHouseholds = () => useQuery(householdsQuery)

/** Whom an account has let in or invited. */
export const useMembers = (account: number) =>
  useQuery({
    queryKey: [...KEY, account, 'members'],
    queryFn: () => call(listMembers, { params: { account } }),
  })

export interface LogFilter {
  readonly user_id?: number | undefined
  readonly printer_id?: number | undefined
  readonly kind?: 'print' | 'printer' | 'household' | 'admin' | undefined
}

const logQuery = (account: number, filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: [...KEY, account, 'log', filter],
    queryFn: ({ pageParam }) =>
      call(listAudit, {
        params: { account },
        query: { ...filter, limit: ROWS, ...(pageParam === 0 ? {} : { before: pageParam }) },
      }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.length < ROWS ? undefined : page.at(-1)?.id),
  })
/** What was done to an account's printers and household, newest first. */
export const useLog = (account: number, filter: LogFilter) => useInfiniteQuery(logQuery(account, filter))

/** What a change brings with it is read anew: members, one's own households, printers. */
function useChange<T, R>(mutationFn: (wish: T) => Promise<R>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: KEY }),
        client.invalidateQueries({ queryKey: printersQuery.queryKey }),
      ]),
  })
}

interface Invited {
  readonly email: string
  readonly role: HouseholdRole
  readonly printer_ids: number[] | null
}
export const useInvite = (account: number) =>
  useChange((body: Invited) => call(inviteMember, { params: { account }, body }))

export const useChangeMember = (account: number) =>
  useChange(({ id, ...body }: { id: number; role?: HouseholdRole; printer_ids?: number[] | null }) =>
    call(changeMember, { params: { account, id }, body }),
  )

/** Shuts somebody out, takes an invitation back, or leaves. */
export const useRemoveMember = () =>
  useChange(({ account, id }: { account: number; id: number }) =>
    call(removeMember, { params: { account, id } }),
  )

export const useOrder = (account: number) =>
  useChange((ids: number[]) => call(orderMembers, { params: { account }, body: { member_ids: ids } }))

/** What an invitation offers. */
export const useInvitation = (key: string) =>
  useQuery({
    queryKey: ['invitation', key],
    queryFn: () => call(showInvitation, { query: { key } }),
    enabled: key !== '',
    retry: false,
  })

export const useAccept = () => useChange((key: string) => call(acceptInvitation, { body: { key } }))
