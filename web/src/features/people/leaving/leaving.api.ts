import {
  ARCHIVE_FILE,
  deleteAccount,
  keepAccount,
  type Leaving,
  leaving,
  makeArchive,
} from '@vigil/contract/people/leaving.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { serverUrl } from '../../../lib/base.ts'
import { call } from '../../../lib/call.ts'
import { endOwnPush } from '../../../lib/push.ts'

/** While an archive is made, how far it is is asked for so often. */
const LOOK_MS = 2_000

const isBeingMade = (of: Leaving | undefined) =>
  of?.archive?.state === 'waiting' || of?.archive?.state === 'running'

const leavingQuery = queryOptions({
  queryKey: ['leaving'],
  queryFn: () => call(leaving),
  refetchInterval: ({ state }) => (isBeingMade(state.data) ? LOOK_MS : false),
})
export const useLeaving = () => useQuery(leavingQuery)

/** Where the archive is fetched, by the browser itself: it goes on where a line was lost. */
export const archiveUrl = (): string => serverUrl(ARCHIVE_FILE)

export function useMakeArchive() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(makeArchive),
    onSuccess: (archive) =>
      client.setQueryData(leavingQuery.queryKey, (before) => before && { ...before, archive }),
  })
}

/** Deletes the account; nothing is shown here any more by push. */
export const useDeleteAccount = () =>
  useMutation({
    mutationFn: (reason: string) => call(deleteAccount, { body: { acknowledged: true, reason } }),
    onSuccess: () => void endOwnPush(),
  })

export const useKeepAccount = () =>
  useMutation({ mutationFn: (link: string) => call(keepAccount, { body: { link } }) })
