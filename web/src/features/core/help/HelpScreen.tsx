import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import * as en from '../../../../../locales/en/core/help.md'
import * as zh from '../../../../../locales/zh/core/help.md'
import { asLanguage } from '../../../lib/i18n.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { PublicFrame } from '../../../ui/PublicFrame.tsx'
import styles from './Help.module.css'

const GUIDES = { en, zh }

/** What an owner may want to know, in the reader's language; for whoever is not signed in too. */
export default function HelpScreen() {
  const { t, i18n } = useTranslation('common')
  const { user } = useBootstrap()
  const { html, sections } = GUIDES[asLanguage(i18n.language)]
  useTitle(t('nav.help'))
  const { hash } = useLocation()
  useEffect(() => document.getElementById(hash)?.scrollIntoView(), [hash])
  const guide = (
    <div className={styles.help} data-public={user ? undefined : true}>
      <PageHeader title={t('nav.help')} />
      <nav aria-label={t('contents')} className={styles.contents}>
        {sections.map(({ id, title }) => (
          <Link key={id} to={paths.help} hash={id}>
            {title}
          </Link>
        ))}
      </nav>
      <Panel>
        <Guide html={html} />
      </Panel>
    </div>
  )
  return user ? guide : <PublicFrame>{guide}</PublicFrame>
}

/** Our own text, made into HTML when the client was built; the brand's name is the only word put in. */
function Guide({ html }: { html: string }) {
  const { page_context: context } = useBootstrap()
  const name = context.syndicate.display_name.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return (
    <div
      className={styles.guide}
      dangerouslySetInnerHTML={{ __html: html.replaceAll('{{brand}}', () => name) }}
    />
  )
}
