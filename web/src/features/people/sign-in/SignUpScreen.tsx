import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useSignUp } from './sign-in.api.ts'
import { ConfirmFirst, isUnconfirmed, SetUpFirst } from './Instead.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import { DoorFrame, DoorLink } from '../door/index.ts'

export default function SignUpScreen() {
  const { t } = useTranslation('accounts')
  const { settings, setup_required: setUpRequired } = useBootstrap()
  const mutation = useSignUp()
  useTitle(t('signUp'))

  if (setUpRequired) return <SetUpFirst />
  if (isUnconfirmed(mutation.error)) return <ConfirmFirst error={mutation.error} />
  const foot = (
    <>
      {t('haveAccount')} <DoorLink to={paths.login}>{t('signIn')}</DoorLink>
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
