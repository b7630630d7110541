import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQueryValues } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useLogin } from './account.api.ts'
import { readArrival } from './arrival.ts'
import { ConfirmFirst, isUnconfirmed } from './ConfirmFirst.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import { DoorFrame } from './DoorFrame.tsx'
import styles from './DoorFrame.module.css'
import { DoorLink } from './DoorLink.tsx'
import { ProviderDoors, ProviderTrouble } from './Providers.tsx'
import { PasskeyDoor, SecondStep, secondStepOf } from './SecondStep.tsx'
import { SetUpFirst } from './SetUpFirst.tsx'

export default function LoginScreen() {
  const { t } = useTranslation('accounts')
  const { t: security } = useTranslation('security')
  const { settings, providers, setup_required: setUpRequired } = useBootstrap()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [arrival, setArrival] = useState(() => readArrival(hash))
  const mutation = useLogin(arrival?.link)
  const { ended } = useQueryValues()
  useTitle(t('signIn'))
  // Out of the address, and of what the browser remembers of it.
  useEffect(() => {
    if (hash !== '') void navigate({ to: '.', search: true, hash: '', replace: true })
  }, [hash, navigate])

  if (setUpRequired) return <SetUpFirst />
  if (isUnconfirmed(mutation.error)) return <ConfirmFirst error={mutation.error} onBack={mutation.reset} />
  const wanted = secondStepOf(mutation.error)
  if (wanted) return <SecondStep wanted={wanted} link={arrival?.link} onBack={mutation.reset} />
  const name = providers.find(({ id }) => id === arrival?.provider)?.name ?? security('providers.unknown')
  if (arrival?.wanted)
    return (
      <SecondStep
        wanted={arrival.wanted}
        link={arrival.link}
        provider={name}
        onBack={() => setArrival(null)}
      />
    )
  const foot = settings.ACCOUNT_ALLOW_SIGN_UP && (
    <>
      {t('noAccount')} <DoorLink to={paths.signUp}>{t('signUp')}</DoorLink>
    </>
  )
  return (
    <DoorFrame
      title={t('signIn')}
      lead={arrival ? security('providers.proveFirst', { name }) : t(ended ? 'signedOut' : 'signInLead')}
      foot={foot}
    >
      <ProviderTrouble />
      <CredentialsForm action={t('signIn')} isNew={false} mutation={mutation} />
      <PasskeyDoor />
      {!arrival && <ProviderDoors />}
      <p className={styles.below}>
        <DoorLink to={paths.reset}>{t('forgot')}</DoorLink>
      </p>
    </DoorFrame>
  )
}
