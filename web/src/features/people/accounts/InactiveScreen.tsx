import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { DoorFrame } from './DoorFrame.tsx'
import { DoorLink } from './DoorLink.tsx'

export default function InactiveScreen() {
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
