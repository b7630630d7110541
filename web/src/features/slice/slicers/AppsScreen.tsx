import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { GuidePanel } from './GuidePanel.tsx'
import { KeysPanel } from './KeysPanel.tsx'
import { useApps, useRevokeApp, useRevokeTunnel, useTunnels } from './slicers.api.ts'
import styles from './Slicers.module.css'
import { TokenRow } from './TokenRow.tsx'

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

/** Programs that were let in on a page that asks: slicers into the account, apps into a printer's own page. */
function AppsPanel() {
  const { t } = useTranslation('slicers')
  const apps = useApps()
  const tunnels = useTunnels()
  const revoking = useRevokeApp()
  const closing = useRevokeTunnel()
  const error = apps.error ?? tunnels.error
  const retry = () => void Promise.all([apps.refetch(), tunnels.refetch()])
  return (
    <Panel title={t('apps.title')}>
      <p className={styles.soft}>{t('apps.lead')}</p>
      {error ? (
        <Failed title={t('apps.failed')} problem={problemOf(error)} onRetry={retry} />
      ) : (
        <ul className={styles.list} aria-busy={!apps.data || !tunnels.data}>
          {apps.data?.length === 0 && tunnels.data?.length === 0 && (
            <li className={styles.none}>{t('apps.none')}</li>
          )}
          {tunnels.data?.map(({ printer, app, ...tunnel }) => (
            <TokenRow
              key={`tunnel-${tunnel.id}`}
              token={{ ...tunnel, printer, expires_at: null }}
              name={app}
              reach={t('apps.reaches', { name: printer.name })}
              revoking={closing}
              question={{
                title: t('apps.ask', { name: app }),
                text: t('apps.askTunnel', { printer: printer.name }),
              }}
            />
          ))}
          {apps.data?.map((app) => (
            <TokenRow
              key={app.id}
              token={app}
              name={app.app}
              reach={app.printer ? app.printer.name : t('apps.may')}
              revoking={revoking}
              question={{ title: t('apps.ask', { name: app.app }), text: t('apps.askText') }}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}
