import { Link } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../lib/paths.ts'
import { useHeaderHidden } from '../../lib/header.ts'
import { useBootstrap } from '../../lib/session.ts'
import { Shortcuts } from '../../features/core/shortcuts/Shortcuts.tsx'
import { laterOn } from '../../ui/lazily.tsx'
import { Brand } from '../../ui/Brand.tsx'
import { SidePlaces, Tabs } from './Places.tsx'
import styles from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'

const Listening = laterOn(async () => (await import('./Listening.tsx')).Listening)

/** The page's base address would make a bare fragment a way to the start page. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** The frame of every signed-in screen: a side bar, or tabs at the thumb on a phone. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation('common')
  const { page_context: context } = useBootstrap()
  const bare = useHeaderHidden()
  if (bare)
    return (
      <main id="main" className={styles.main} data-bare tabIndex={-1}>
        {children}
      </main>
    )
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip} onClick={skipToContent}>
        {t('nav.skip')}
      </a>
      <aside className={styles.side}>
        {/* The keyboard's way there is the first place of the list below. */}
        <Link
          to={paths.printers}
          className={styles.home}
          aria-label={context.syndicate.display_name}
          tabIndex={-1}
        >
          <Brand />
        </Link>
        <nav aria-label={t('nav.label')} className={styles.nav}>
          <SidePlaces />
        </nav>
        <UserMenu />
      </aside>
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <nav aria-label={t('nav.label')} className={styles.bottom}>
        <Tabs />
      </nav>
      <Shortcuts />
      <Listening />
    </div>
  )
}
