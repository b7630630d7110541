import { Link, useLocation } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../lib/paths.ts'
import { useHeaderHidden } from '../../lib/header.ts'
import { useBootstrap } from '../../lib/session.ts'
import { Shortcuts } from '../../features/shortcuts/Shortcuts.tsx'
import { Brand } from '../../ui/Brand.tsx'
import { helpLinks, places } from './navigation.ts'
import styles from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'

function Places({ kind }: { kind: 'side' | 'tabs' }) {
  const { t } = useTranslation('common')
  const { pathname } = useLocation()
  return (
    <ul className={kind === 'side' ? styles.places : styles.tabs}>
      {places.map(({ to, text, icon: Icon, within }) => (
        <li key={to}>
          <Link
            to={to}
            className={styles.place}
            aria-current={pathname.startsWith(within) ? 'page' : undefined}
          >
            <Icon size={kind === 'side' ? 18 : 22} stroke={1.75} aria-hidden />
            <span>{t(text)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** What this brand has to read elsewhere; without an address there is no link. */
function HelpLinks() {
  const { t } = useTranslation('common')
  const { page_context: context } = useBootstrap()
  const links = helpLinks(context.syndicate)
  if (links.length === 0) return null
  return (
    <ul className={styles.places} data-foot>
      {links.map(({ href, text, icon: Icon }) => (
        <li key={href}>
          <a href={href} target="_blank" rel="noreferrer" className={styles.place}>
            <Icon size={18} stroke={1.75} aria-hidden />
            <span>{t(text)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

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
        <Link to={paths.printers} className={styles.home} aria-label={context.syndicate.display_name}>
          <Brand name={context.syndicate.display_name} />
        </Link>
        <nav aria-label={t('nav.label')} className={styles.nav}>
          <Places kind="side" />
          <HelpLinks />
        </nav>
        <UserMenu />
      </aside>
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <nav aria-label={t('nav.label')} className={styles.bottom}>
        <Places kind="tabs" />
      </nav>
      <Shortcuts />
    </div>
  )
}
