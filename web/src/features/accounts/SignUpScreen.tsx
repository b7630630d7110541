import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useQueryValues } from '../../lib/address.ts'
import { useTranslation } from 'react-i18next'
import { paths } from '../../lib/paths.ts'
import { useBootstrap } from '../../lib/session.ts'
import { useTitle } from '../../lib/title.ts'
import { useSignUp } from './account.api.ts'
import { CredentialsForm } from './CredentialsForm.tsx'
import { DoorFrame } from './DoorFrame.tsx'
import { SetUpFirst } from './SetUpFirst.tsx'

export default function SignUpScreen() {
  const { t } = useTranslation('accounts')
  const { settings, setup_required: setUpRequired } = useBootstrap()
  const search = useQueryValues()
  const mutation = useSignUp()
  useTitle(t('signUp'))

  if (setUpRequired) return <SetUpFirst />
  const foot = (
    <>
      {t('haveAccount')}{' '}
      <Anchor renderRoot={(props) => <Link {...props} to={paths.login} search={search} />}>
        {t('signIn')}
      </Anchor>
    </>
  )
  if (!settings.ACCOUNT_ALLOW_SIGN_UP)
    return (
      <DoorFrame title={t('signUp')} lead={t('signUpClosed')} foot={foot}>
        {null}
      </DoorFrame>
    )
  return (
    <DoorFrame title={t('signUp')} lead={t('signUpLead')} foot={foot}>
      <CredentialsForm action={t('signUp')} isNew mutation={mutation} />
    </DoorFrame>
  )
}
