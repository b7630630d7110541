import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { useBootstrap } from '../../lib/session.ts'
import styles from './PreferencesFrame.module.css'
import { SectionList } from './SectionList.tsx'
import { useSections } from './useSections.ts'

/** One section, with the others beside it where there is room (docs/rules/pages.md 11). */
export function PreferencesFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('accounts')
  const { page_context: context } = useBootstrap()
  const sections = useSections()
  return (
    <div className={styles.frame} data-one={context.app_platform ?? undefined}>
      <nav className={styles.side} aria-label={t('preferences.title')}>
        <Box component="h2" m="4px 0 10px" fz={20} fw={650}>
          {t('preferences.title')}
        </Box>
        <SectionList sections={sections} />
      </nav>
      <div>{children}</div>
    </div>
  )
}
