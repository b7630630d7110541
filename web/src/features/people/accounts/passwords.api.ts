import {
  askReset,
  changePassword,
  checkReset,
  confirmReset,
  setFirstPassword,
} from '@vigil/contract/people/passwords.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

export const useAskReset = () =>
  useMutation({ mutationFn: (email: string) => call(askReset, { body: { email } }) })

interface ResetLink {
  uid: string
  token: string
}

/** Whether a link from a letter still works. */
export const useResetLink = (link: ResetLink) =>
  useQuery({
    queryKey: ['reset', link],
    queryFn: () => call(checkReset, { query: link }),
    retry: false,
    staleTime: Infinity,
  })

export const useConfirmReset = (link: ResetLink) =>
  useMutation({ mutationFn: (password: string) => call(confirmReset, { body: { ...link, password } }) })

export const useChangePassword = () =>
  useMutation({ mutationFn: (body: { old: string; new: string }) => call(changePassword, { body }) })

export const useSetFirstPassword = () =>
  useMutation({ mutationFn: (password: string) => call(setFirstPassword, { body: { new: password } }) })
