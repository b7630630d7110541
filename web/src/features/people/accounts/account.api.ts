import { updateMe, type User } from '@vigil/contract/people/accounts.ts'
import type { MantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { chooseLanguage, type Language } from '../../../lib/i18n.ts'
import { tellApp } from '../../../lib/native-app.ts'
import { useSetUser } from '../../../lib/session.ts'
import { themeOf, useThemes } from '../../../lib/themes.ts'
import { toast } from '../../../lib/toast.ts'

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
