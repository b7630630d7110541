import { Button } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useSetUser } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { DoorFrame, DoorLink, NewPasswordForm } from '../door/index.ts'
import { useConfirmReset, useResetLink } from './sign-in.api.ts'

/** The link in a letter leads here: `{uid}-{token}`. */
export default function ResetKeyScreen() {
  const { t } = useTranslation('accounts')
  const { link = '' } = useParams({ strict: false })
  const [uid = '', ...rest] = link.split('-')
  const given = { uid, token: rest.join('-') }
  const { error, isPending } = useResetLink(given)
  const mutation = useConfirmReset(given)
  const navigate = useNavigate()
  const setUser = useSetUser()
  const problemText = useProblemText()
  useTitle(t('reset.choose'))
  if (isPending)
    return (
      <DoorFrame title={t('reset.choose')} lead={t('oneMoment')}>
        {null}
      </DoorFrame>
    )
  if (error)
    return (
      <DoorFrame title={t('linkOver')} foot={<DoorLink to={paths.reset}>{t('reset.again')}</DoorLink>}>
        <p role="alert">{problemText(problemOf(error))}</p>
      </DoorFrame>
    )
  return (
    <DoorFrame title={t('reset.choose')} lead={t('reset.chooseLead')}>
      <NewPasswordForm
        mutation={mutation}
        onSubmit={({ password }) =>
          mutation.mutate(password, {
            onSuccess: () =>
              // Every session has ended, this browser's too; forgotten once nothing here asks for the used link again.
              void navigate({ to: paths.resetDone, replace: true }).then(() => setUser(null)),
          })
        }
      />
    </DoorFrame>
  )
}

/** The new password stands. */
export function ResetDoneScreen() {
  const { t } = useTranslation('accounts')
  useTitle(t('reset.done'))
  return (
    <DoorFrame title={t('reset.done')} lead={t('reset.doneLead')}>
      <Button variant="filled" fullWidth mt={18} renderRoot={(props) => <Link {...props} to={paths.login} />}>
        {t('signIn')}
      </Button>
    </DoorFrame>
  )
}
