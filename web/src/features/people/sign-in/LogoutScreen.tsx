import { Button } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { GoTo } from '../../../ui/GoTo.tsx'
import { useSignOut } from './sign-in.api.ts'
import { DoorFrame, DoorLink } from '../door/index.ts'

/** Old pages and apps lead here; nothing but the button signs out. */
export default function LogoutScreen() {
  const { t } = useTranslation('accounts')
  const { t: common } = useTranslation('common')
  const { user } = useBootstrap()
  const signOut = useSignOut()
  useTitle(common('signOut'))
  if (!user) return <GoTo to={paths.login} />
  return (
    <DoorFrame
      title={common('signOut')}
      lead={t('preferences.sessionHint', { email: user.email })}
      foot={<DoorLink to={paths.printers}>{t('stay')}</DoorLink>}
    >
      <Button variant="filled" fullWidth mt={18} onClick={signOut}>
        {common('signOut')}
      </Button>
    </DoorFrame>
  )
}
