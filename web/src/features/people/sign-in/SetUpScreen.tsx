import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useQueryValues } from '../../../lib/address.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useSetUp } from './sign-in.api.ts'
import { CredentialsForm } from './CredentialsForm.tsx'
import { DoorFrame } from '../door/index.ts'
import { SetUpFirst } from './Instead.tsx'

/** First run: the one-time link that the server printed leads here. */
export default function SetUpScreen() {
  const { t } = useTranslation('accounts')
  const { setup_required: required } = useBootstrap()
  const { token } = useQueryValues()
  const mutation = useSetUp()
  useTitle(t('setUpTitle'))

  if (!required) {
    const foot = <Anchor renderRoot={(props) => <Link {...props} to={paths.login} />}>{t('signIn')}</Anchor>
    return (
      <DoorFrame title={t('setUpDone')} lead={t('setUpDoneText')} foot={foot}>
        {null}
      </DoorFrame>
    )
  }
  if (!token) return <SetUpFirst />
  const withToken = {
    ...mutation,
    mutate: ({ email, password }: { email: string; password: string }) =>
      mutation.mutate({ token, email, password }),
  }
  return (
    <DoorFrame title={t('setUpTitle')} lead={t('setUpLead')}>
      <CredentialsForm action={t('setUpAction')} isNew mutation={withToken} />
    </DoorFrame>
  )
}
