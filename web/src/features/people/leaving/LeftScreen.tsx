import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { DoorFrame, DoorLink, KeepFrame } from '../door/index.ts'
import { useKeepAccount } from './leaving.api.ts'

/** What becomes of an account that its owner has just deleted. */
export function LeftScreen() {
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

/** Keeps an account that was closed. */
export function KeepAccountScreen() {
  const { t } = useTranslation('leaving')
  const keeping = useKeepAccount()
  return (
    <KeepFrame
      say={(word) => t(word)}
      keeping={keeping}
      onwards={{ to: paths.login, text: t('keep.signIn') }}
    />
  )
}
