import { useTranslation } from 'react-i18next'
import { useQueryValues } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { DoorFrame } from './DoorFrame.tsx'
import { DoorLink } from './DoorLink.tsx'

/** What becomes of an account that its owner has just deleted. */
export default function LeftScreen() {
  const { t } = useTranslation('leaving')
  const { mailed } = useQueryValues()
  useTitle(t('gone.title'))
  return (
    <DoorFrame
      title={t('gone.title')}
      lead={t(mailed === 'true' ? 'gone.mailed' : 'gone.operator')}
      foot={<DoorLink to={paths.login}>{t('keep.signIn')}</DoorLink>}
    >
      {null}
    </DoorFrame>
  )
}
