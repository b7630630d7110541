import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Admin.module.css'

const SECTIONS = [
  ['people', paths.admin],
  ['notices', paths.adminNotices],
  ['site', paths.adminSite],
  ['jobs', paths.adminJobs],
  ['system', paths.adminSystem],
] as const

interface AdminPageProps {
  /** What this page is about; the section by its name unless given. */
  title: string
  /** What is done on it, where the title does not say so. */
  note?: string
  back?: { to: string; label: string }
  isBusy?: boolean
  actions?: ReactNode
  children: ReactNode
}

/** On a phone they do not all fit. */
const showCurrent = (nav: HTMLElement | null) => {
  const current = nav?.querySelector('[aria-current]')
  if (nav && current instanceof HTMLElement) nav.scrollLeft = current.offsetLeft - nav.clientWidth / 3
}

/** A page for administrators, with the way to the others. */
export function AdminPage({ title, note, back, isBusy = false, actions, children }: AdminPageProps) {
  const { t } = useTranslation('admin')
  const { settings } = useBootstrap()
  useTitle(title)
  return (
    <div className={shared.broad} aria-busy={isBusy}>
      <PageHeader title={title} note={note} actions={actions} {...(back && { back })} />
      <nav ref={showCurrent} className={styles.places} aria-label={t('title')}>
        {SECTIONS.map(([name, to]) => (
          <Link key={to} to={to} activeOptions={{ exact: true }}>
            {t(`sections.${name}`)}
          </Link>
        ))}
        {settings.IS_ENT && <Link to={paths.adminCodes}>{t('sections.codes')}</Link>}
        {settings.IS_ENT && <Link to={paths.moderation}>{t('sections.moderation')}</Link>}
      </nav>
      {children}
    </div>
  )
}
