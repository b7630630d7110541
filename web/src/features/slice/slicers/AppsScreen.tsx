import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { AppsPanel } from './AppsPanel.tsx'
import { GuidePanel } from './GuidePanel.tsx'
import { KeysPanel } from './KeysPanel.tsx'
import styles from './Slicers.module.css'

/** What may bring files into the account: keys, programs that were let in, and how each slicer is set up. */
export default function AppsScreen() {
  const { t } = useTranslation('slicers')
  const { t: accounts } = useTranslation('accounts')
  useTitle(t('title'))
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} back={{ to: paths.preferences, label: accounts('preferences.title') }} />
      <KeysPanel />
      <AppsPanel />
      <GuidePanel />
    </div>
  )
}
