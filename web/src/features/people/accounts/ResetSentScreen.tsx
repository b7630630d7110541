import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { DoorFrame } from './DoorFrame.tsx'
import { DoorLink } from './DoorLink.tsx'

/** The same for every address: who has an account is not told. */
export default function ResetSentScreen() {
  const { t } = useTranslation('accounts')
  useTitle(t('checkMail'))
  return (
    <DoorFrame
      title={t('checkMail')}
      lead={t('reset.sent')}
      foot={<DoorLink to={paths.login}>{t('reset.back')}</DoorLink>}
    >
      <p>{t('reset.sentNothing')}</p>
    </DoorFrame>
  )
}
