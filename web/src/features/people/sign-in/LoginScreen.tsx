import { Box } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import type { Factor } from '@vigil/contract/people/proof.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { readWanted, type Wanted } from '../../../lib/proof.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useLogin } from './sign-in.api.ts'
import { ConfirmFirst, isUnconfirmed, SetUpFirst } from './Instead.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import { DoorFrame, DoorLink, ProviderDoors, ProviderTrouble } from '../door/index.ts'
import { PasskeyDoor, SecondStep, secondStepOf } from './SecondStep.tsx'

/** Somebody has come from a provider, and one thing is wanted yet. */
interface Arrival {
  readonly provider: string
  /** What waits to be connected. */
  readonly link: string | undefined
  /** The second factor; null: the password of the account. */
  readonly wanted: (Wanted & { readonly factors: readonly Factor[] }) | null
}

/** What the server has put behind `#`; null: nothing (docs/rules/people.md 11). */
function readArrival(hash: string): Arrival | null {
  const said = new URLSearchParams(hash.replace(/^#/, ''))
  const [provider, ticket, link] = [said.get('provider'), said.get('ticket'), said.get('link')]
  if (provider === null || (ticket === null && link === null)) return null
  const factors = (said.get('factors') ?? '').split(',')
  return {
    provider,
    link: link ?? undefined,
    wanted: ticket === null ? null : readWanted({ ticket, factors }),
  }
}

/** `/accounts/login/`: by password, passkey or provider, in one step or two. */
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
      <Box component="p" mt={6} ta="center">
        <DoorLink to={paths.reset} display="inline-block" px={4} py={13}>
          {t('forgot')}
        </DoorLink>
      </Box>
    </DoorFrame>
  )
}
