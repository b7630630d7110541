import { login, logout, setUp, signUp } from '@vigil/contract/people/accounts.ts'
import { loginFactor, loginPasskey } from '@vigil/contract/people/factors.ts'
import { askReset, checkReset, confirmReset } from '@vigil/contract/people/passwords.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { endOwnPush } from '../../../lib/push.ts'
import { signingOut, useSetUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { answerOf, type Given, shownBy } from '../door/index.ts'

/** Signs in; the guard then leads on. `link`: what waits to be connected. */
export function useLogin(link?: string) {
  const setUser = useSetUser()
  return useMutation({
    mutationFn: (body: { email: string; password: string; remember: boolean }) =>
      call(login, { body: { ...body, link } }),
    onSuccess: setUser,
  })
}

export function useSignUp() {
  const setUser = useSetUser()
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => call(signUp, { body }),
    onSuccess: setUser,
  })
}

export function useSetUp() {
  const setUser = useSetUser()
  return useMutation({
    mutationFn: (body: { token: string; email: string; password: string }) => call(setUp, { body }),
    onSuccess: setUser,
  })
}

/** The second step of signing in. `link`: what waits to be connected. */
export function useSecondStep(ticket: string, link?: string) {
  const setUser = useSetUser()
  return useMutation({
    mutationFn: async (given: Given) =>
      await call(loginFactor, { body: { ticket, link, ...(await shownBy(given, ticket)) } }),
    onSuccess: setUser,
  })
}

/** Signs in with a passkey alone. */
export function usePasskeyLogin() {
  const setUser = useSetUser()
  return useMutation({
    mutationFn: async () => await call(loginPasskey, { body: { ...(await answerOf()), remember: true } }),
    onSuccess: setUser,
  })
}

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

/** Signs out, here and on the server; what was loaded is forgotten, and messages are shown here no more. */
export function useSignOut(): () => void {
  const { t } = useTranslation('common')
  const setUser = useSetUser()
  const leave = () => {
    void endOwnPush()
    setUser(null)
  }
  const { mutate } = useMutation({
    mutationKey: signingOut,
    mutationFn: () => call(logout),
    onSuccess: leave,
    onError: (error) => {
      if (problemOf(error).kind === 'forbidden') leave()
      else toast(t('signOutFailed'), 'failed')
    },
  })
  return mutate
}
