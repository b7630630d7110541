import { Button, Stack } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import type { Wanted } from '../../../lib/proof.ts'
import { useTitle } from '../../../lib/title.ts'
import { canUsePasskeys, DoorFrame, FactorAlert, FactorForm } from '../door/index.ts'
import { usePasskeyLogin, useSecondStep } from './sign-in.api.ts'

/** What is wanted beside the password, if that was right. */
export function secondStepOf(error: Error | null): Wanted | null {
  const problem = error && problemOf(error)
  return problem?.kind === 'forbidden' && problem.reason === 'second_factor' ? (problem.wanted ?? null) : null
}

interface SecondStepProps {
  wanted: Wanted
  /** What waits to be connected. */
  link?: string | undefined
  /** Who has said who it is; absent: the password was right. */
  provider?: string
  onBack: () => void
}

/** The first step is done: the second factor. */
export function SecondStep({ wanted, link, provider, onBack }: SecondStepProps) {
  const { t } = useTranslation('security')
  const { t: accounts } = useTranslation('accounts')
  const mutation = useSecondStep(wanted.ticket, link)
  useTitle(t('step.title'))
  const back = (
    <Button variant="subtle" onClick={onBack}>
      {t('step.back')}
    </Button>
  )
  return (
    <DoorFrame
      title={t('step.title')}
      lead={provider === undefined ? t('step.lead') : t('step.leadBy', { name: provider })}
      foot={back}
    >
      <FactorForm factors={wanted.factors} action={accounts('signIn')} mutation={mutation} />
    </DoorFrame>
  )
}

/** Signing in without a password, where the browser can. */
export function PasskeyDoor() {
  const { t } = useTranslation('security')
  const { mutate, error, isPending } = usePasskeyLogin()
  if (!canUsePasskeys()) return null
  return (
    <Stack gap={14} mt={14}>
      <FactorAlert error={error} />
      <Button fullWidth loading={isPending} onClick={() => mutate()}>
        {t('passkeys.signIn')}
      </Button>
    </Stack>
  )
}
