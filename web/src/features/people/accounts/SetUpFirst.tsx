import { useTranslation } from 'react-i18next'
import { DoorFrame } from './DoorFrame.tsx'

/** No account exists and the link from the terminal is missing: say where it is. */
export function SetUpFirst() {
  const { t } = useTranslation('accounts')
  return (
    <DoorFrame title={t('setUpTitle')} lead={t('setUpWhere')}>
      <p>{t('setUpAgain')}</p>
    </DoorFrame>
  )
}
