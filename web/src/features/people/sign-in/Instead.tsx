import { Button } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { DoorFrame, DoorLink } from '../door/index.ts'

/** Whether the password was right, and only the address is not confirmed yet. */
export function isUnconfirmed(error: Error | null): error is Error {
  const problem = error && problemOf(error)
  return problem?.kind === 'forbidden' && problem.reason === 'email_unverified'
}

/** Nobody comes in before the link was followed: it is on its way. `onBack` shows the form again. */
export function ConfirmFirst({ error, onBack }: { error: Error; onBack?: () => void }) {
  const { t } = useTranslation('accounts')
  const problemText = useProblemText()
  const back = onBack ? (
    <Button variant="subtle" onClick={onBack}>
      {t('signIn')}
    </Button>
  ) : (
    <DoorLink to={paths.login}>{t('signIn')}</DoorLink>
  )
  return (
    <DoorFrame title={t('checkMail')} lead={problemText(problemOf(error))} foot={back}>
      {null}
    </DoorFrame>
  )
}

/** No account exists and the link from the terminal is missing: say where it is. */
export function SetUpFirst() {
  const { t } = useTranslation('accounts')
  return (
    <DoorFrame title={t('setUpTitle')} lead={t('setUpWhere')}>
      <p>{t('setUpAgain')}</p>
    </DoorFrame>
  )
}

/** An account that an administrator switched off. */
export function InactiveScreen() {
  const { t } = useTranslation('accounts')
  useTitle(t('inactive.title'))
  return (
    <DoorFrame
      title={t('inactive.title')}
      lead={t('inactive.lead')}
      foot={<DoorLink to={paths.login}>{t('reset.back')}</DoorLink>}
    >
      {null}
    </DoorFrame>
  )
}
