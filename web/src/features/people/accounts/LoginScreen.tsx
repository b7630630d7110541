import { useTranslation } from 'react-i18next'
import { useQueryValues } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useLogin } from './account.api.ts'
import { ConfirmFirst, isUnconfirmed } from './ConfirmFirst.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import { DoorFrame } from './DoorFrame.tsx'
import styles from './DoorFrame.module.css'
import { DoorLink } from './DoorLink.tsx'
import { PasskeyDoor, SecondStep, secondStepOf } from './SecondStep.tsx'
import { SetUpFirst } from './SetUpFirst.tsx'

export default function LoginScreen() {
  const { t } = useTranslation('accounts')
  const { settings, setup_required: setUpRequired } = useBootstrap()
  const mutation = useLogin()
  const { ended } = useQueryValues()
  useTitle(t('signIn'))

  if (setUpRequired) return <SetUpFirst />
  if (isUnconfirmed(mutation.error)) return <ConfirmFirst error={mutation.error} onBack={mutation.reset} />
  const wanted = secondStepOf(mutation.error)
  if (wanted) return <SecondStep wanted={wanted} onBack={mutation.reset} />
  const foot = settings.ACCOUNT_ALLOW_SIGN_UP && (
    <>
      {t('noAccount')} <DoorLink to={paths.signUp}>{t('signUp')}</DoorLink>
    </>
  )
  return (
    <DoorFrame title={t('signIn')} lead={t(ended ? 'signedOut' : 'signInLead')} foot={foot}>
      <CredentialsForm action={t('signIn')} isNew={false} mutation={mutation} />
      <PasskeyDoor />
      <p className={styles.below}>
        <DoorLink to={paths.reset}>{t('forgot')}</DoorLink>
      </p>
    </DoorFrame>
  )
}
