import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { KeepFrame } from './KeepFrame.tsx'
import { useKeepAccount } from './leaving.api.ts'

/** Keeps an account that was closed. */
export default function KeepAccountScreen() {
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
