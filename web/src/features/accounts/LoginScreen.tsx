import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useQueryValues } from '../../lib/address.ts'
import { useTranslation } from 'react-i18next'
import { paths } from '../../lib/paths.ts'
import { useBootstrap } from '../../lib/session.ts'
import { useTitle } from '../../lib/title.ts'
import { useLogin } from './account.api.ts'
import { CredentialsForm } from './CredentialsForm.tsx'
import { DoorFrame } from './DoorFrame.tsx'
import { SetUpFirst } from './SetUpFirst.tsx'

export default function LoginScreen() {
  const { t } = useTranslation('accounts')
  const { settings, setup_required: setUpRequired } = useBootstrap()
  const search = useQueryValues()
  const mutation = useLogin()
  useTitle(t('signIn'))

  if (setUpRequired) return <SetUpFirst />
  const foot = settings.ACCOUNT_ALLOW_SIGN_UP && (
    <>
      {t('noAccount')}{' '}
      <Anchor renderRoot={(props) => <Link {...props} to={paths.signUp} search={search} />}>
        {t('signUp')}
      </Anchor>
    </>
  )
  return (
    <DoorFrame title={t('signIn')} lead={t('signInLead')} foot={foot}>
      <CredentialsForm action={t('signIn')} isNew={false} mutation={mutation} />
    </DoorFrame>
  )
}
