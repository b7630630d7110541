import { login, logout, setUp, signUp, updateMe, type User } from '@vigil/contract/people/accounts.ts'
import type { MantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { chooseLanguage, type Language } from '../../../lib/i18n.ts'
import { signingOut, useSetUser } from '../../../lib/session.ts'
import { endOwnPush } from '../../../lib/push.ts'
import { toast } from '../../../lib/toast.ts'
import { themeOf, useThemes } from '../../../lib/themes.ts'
import { tellApp } from '../../../lib/native-app.ts'

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

export function useUpdateMe() {
  const setUser = useSetUser()
  return useMutation({
    mutationFn: (body: {
      first_name?: string
      last_name?: string
      language?: Language
      theme?: NonNullable<User['theme']>
    }) => call(updateMe, { body }),
    onSuccess: (user, { first_name: firstName, last_name: lastName }) => {
      setUser(user)
      if (firstName !== undefined) tellApp({ firstName })
      if (lastName !== undefined) tellApp({ lastName })
    },
  })
}

/** Shown at once; kept with the account too, so that e-mails speak it. */
export function useChooseLanguage(): (language: Language) => void {
  const { t } = useTranslation('common')
  const { mutateAsync } = useUpdateMe()
  return (language) =>
    void chooseLanguage(language)
      .then(() => mutateAsync({ language }))
      .catch(() => toast(t('problem.offline'), 'failed'))
}

/** Shown at once; kept with the account too, for the next device. */
export function useChosenThemes() {
  const { t } = useTranslation('common')
  const { chooseTheme, ...rest } = useThemes()
  const { mutate } = useUpdateMe()
  return {
    ...rest,
    chooseTheme(next: MantineColorScheme) {
      chooseTheme(next)
      mutate({ theme: themeOf(next) }, { onError: () => toast(t('problem.offline'), 'failed') })
    },
  }
}
