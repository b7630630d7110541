import {
  addEmail,
  confirmEmail,
  listEmails,
  makePrimaryEmail,
  removeEmail,
  resendEmail,
  showConfirmation,
} from '@vigil/contract/people/emails.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { bootstrapQuery } from '../../../lib/session.ts'

const emailsQuery = queryOptions({ queryKey: ['emails'], queryFn: () => call(listEmails) })

/** Addresses of the signed-in. */
export const useEmails = () => useQuery(emailsQuery)

/** A change to the addresses; what the page shows of them is asked anew. */
function useChange<T, A>(change: (given: A) => Promise<T>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: emailsQuery.queryKey }),
        client.invalidateQueries({ queryKey: bootstrapQuery.queryKey }),
      ]),
  })
}

export const useAddEmail = () => useChange((email: string) => call(addEmail, { body: { email } }))
export const useMakePrimary = () => useChange((id: number) => call(makePrimaryEmail, { params: { id } }))
export const useResend = () => useChange((id: number) => call(resendEmail, { params: { id } }))
export const useRemoveEmail = () => useChange((id: number) => call(removeEmail, { params: { id } }))
export const useConfirmEmail = () => useChange((key: string) => call(confirmEmail, { body: { key } }))

/** Which address a link is for. */
export const useConfirmation = (key: string) =>
  useQuery({
    queryKey: ['confirmation', key],
    queryFn: () => call(showConfirmation, { query: { key } }),
    retry: false,
    staleTime: Infinity,
  })
