import { Button, Stack } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { toast } from '../../../lib/toast.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import { DoorFrame } from '../door/index.ts'
import items from '../../../ui/Items.module.css'
import styles from './Household.module.css'
import { useAccept, useInvitation } from './household.api.ts'

const KEPT = 'invitation'

/** The word of the invitation: behind `#`, so that it stands in no log; kept in this tab while somebody signs in first. */
function takeKey(): string {
  const key = new URLSearchParams(location.hash.replace(/^#/, '')).get('key')
  if (key !== null) sessionStorage.setItem(KEPT, key)
  return sessionStorage.getItem(KEPT) ?? ''
}

/** The link in the letter leads here: what is offered, and a button that takes it up. */
export default function InvitationScreen() {
  const { t } = useTranslation('household')
  useTitle(t('invitation.title'))
  const [key] = useState(takeKey)
  const { data, error } = useInvitation(key)
  // Who comes without a link has none that works.
  const isOver = key === '' || (error !== null && problemOf(error).kind === 'missing')
  const problemText = useProblemText()
  return (
    <DoorFrame
      title={t(isOver ? 'invitation.over' : 'invitation.title')}
      lead={isOver && t('invitation.overText')}
    >
      <div className={styles.invitation} aria-busy={!data && !error && !isOver}>
        {error && !isOver && <p role="alert">{problemText(problemOf(error))}</p>}
        {data && (
          <>
            <p>{t(`invitation.${data.role}`, { from: data.from })}</p>
            <p className={items.soft}>
              {data.printers === null ? t('all') : data.printers.join(' · ') || t('belong.none')}
            </p>
            <Accept invitationKey={key} />
          </>
        )}
      </div>
    </DoorFrame>
  )
}

function Accept({ invitationKey }: { invitationKey: string }) {
  const { t } = useTranslation('household')
  const { user, settings } = useBootstrap()
  const navigate = useNavigate()
  const accepting = useAccept()
  const problemText = useProblemText()
  const next = paths.invitation
  if (!user)
    return (
      <Stack gap={10}>
        <p className={items.soft}>{t('invitation.signInFirst')}</p>
        <Button
          variant="filled"
          renderRoot={(props) => <Link {...props} to={paths.login} search={{ next }} />}
        >
          {t('invitation.signIn')}
        </Button>
        {settings.ACCOUNT_ALLOW_SIGN_UP && (
          <Button renderRoot={(props) => <Link {...props} to={paths.signUp} search={{ next }} />}>
            {t('invitation.signUp')}
          </Button>
        )}
      </Stack>
    )
  return (
    <Stack gap={10}>
      <p className={items.soft}>{t('invitation.as', { email: user.email })}</p>
      <Button
        variant="filled"
        loading={accepting.isPending}
        onClick={() =>
          accepting.mutate(invitationKey, {
            onSuccess: ({ name }) => {
              sessionStorage.removeItem(KEPT)
              toast(t('invitation.done', { name }), 'done')
              void navigate({ to: paths.printers })
            },
          })
        }
      >
        {t('invitation.accept')}
      </Button>
      {accepting.error && (
        <p role="alert" className={shared.bad}>
          {problemText(problemOf(accepting.error))}
        </p>
      )}
    </Stack>
  )
}
