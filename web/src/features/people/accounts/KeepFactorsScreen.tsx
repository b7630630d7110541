import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { useKeepFactors } from './factors.api.ts'
import { KeepFrame } from './KeepFrame.tsx'

/** Objects to the removal of second factors. */
export default function KeepFactorsScreen() {
  const { t } = useTranslation('security')
  const keeping = useKeepFactors()
  return (
    <KeepFrame
      say={(word) => t(word)}
      keeping={keeping}
      onwards={{ to: paths.reset, text: t('keep.password') }}
    />
  )
}
