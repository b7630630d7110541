import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from '../../src/lib/translation.ts'
import { asLanguage, type Language, LANGUAGES, showLanguage } from '../../src/lib/i18n.ts'
import { PageHeader } from '../../src/ui/PageHeader.tsx'
import { Asking } from './Asking.tsx'
import { Fields } from './Fields.tsx'
import styles from './Gallery.module.css'
import { Playing } from './Playing.tsx'
import { Showing } from './Showing.tsx'
import { Watching } from './Watching.tsx'

/** Every part of ours in all its states: the place to see the look and to change it. Not in the product. */
export function Gallery() {
  const { i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <main className={styles.page}>
      <PageHeader
        title="Gallery"
        note="Our parts in all their states"
        actions={
          <>
            <SegmentedControl
              aria-label="Theme"
              data={['light', 'dark', 'auto']}
              value={colorScheme}
              onChange={setColorScheme}
            />
            <SegmentedControl
              aria-label="Language"
              data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
              value={asLanguage(i18n.language)}
              onChange={(value) => void showLanguage(value as Language)}
            />
          </>
        }
      />
      <Asking />
      <Fields />
      <Showing />
      <Playing />
      <Watching />
    </main>
  )
}
