import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { DoorFrame } from './DoorFrame.tsx'
import styles from './DoorFrame.module.css'

export default function ResetDoneScreen() {
  const { t } = useTranslation('accounts')
  useTitle(t('reset.done'))
  return (
    <DoorFrame title={t('reset.done')} lead={t('reset.doneLead')}>
      <Button
        variant="filled"
        fullWidth
        className={styles.action ?? ''}
        renderRoot={(props) => <Link {...props} to={paths.login} />}
      >
        {t('signIn')}
      </Button>
    </DoorFrame>
  )
}
