import { login, logout, setUp, signUp, type User } from '@vigil/contract/people/accounts.ts'
import { loginFactor, loginPasskey } from '@vigil/contract/people/factors.ts'
import { askReset, checkReset, confirmReset } from '@vigil/contract/people/passwords.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { endOwnPush } from '../../../lib/push.ts'
import { signingOut, useSetUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { answerOf, type Given, shownBy } from '../door/index.ts'

/** A way in; the guard then leads on. */
function useEntry<A = void>(enter: (given: A) => Promise<User>) {
  const setUser = useSetUser()
  return useMutation({ mutationFn: enter, onSuccess: setUser })
}

/** Signs in. `link`: what waits to be connected. */
export const useLogin = (link?: string) =>
  useEntry((body: { email: string; password: string; remember: boolean }) =>
    call(login, { body: { ...body, link } }),
  )

export const useSignUp = () => useEntry((body: { email: string; password: string }) => call(signUp, { body }))

export const useSetUp = () =>
  useEntry((body: { token: string; email: string; password: string }) => call(setUp, { body }))

/** The second step of signing in. `link`: what waits to be connected. */
export const useSecondStep = (ticket: string, link?: string) =>
  useEntry(async (given: Given) =>
    call(loginFactor, { body: { ticket, link, ...(await shownBy(given, ticket)) } }),
  )

/** Signs in with a passkey alone. */
export const usePasskeyLogin = () =>
  useEntry(async () => call(loginPasskey, { body: { ...(await answerOf()), remember: true } }))

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
