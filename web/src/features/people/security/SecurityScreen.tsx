import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { FactorsPanel } from './FactorsPanel.tsx'
import { IdentitiesPanel } from './IdentitiesPanel.tsx'
import shared from '../../../ui/shared.module.css'
import { KeepFrame } from '../door/index.ts'
import { useKeepFactors } from './security.api.ts'
import { SessionsPanel } from './SessionsPanel.tsx'

/** Every way into the account, and where it is signed in. */
export default function SecurityScreen() {
  const { t } = useTranslation('security')
  const { t: accounts } = useTranslation('accounts')
  useTitle(t('title'))
  return (
    <div className={shared.page}>
      <PageHeader title={t('title')} back={{ to: paths.preferences, label: accounts('preferences.title') }} />
      <FactorsPanel />
      <IdentitiesPanel />
      <SessionsPanel />
    </div>
  )
}

/** Objects to the removal of second factors. */
export function KeepFactorsScreen() {
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
