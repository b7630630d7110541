import { useTranslation } from 'react-i18next'
import { problemOf } from '../../lib/errors.ts'
import { Failed } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { useApps, useRevokeApp } from './slicers.api.ts'
import styles from './Slicers.module.css'
import { TokenRow } from './TokenRow.tsx'

/** Programs that were let in on the page that asks. */
export function AppsPanel() {
  const { t } = useTranslation('slicers')
  const { data, error, refetch } = useApps()
  const revoking = useRevokeApp()
  return (
    <Panel title={t('apps.title')}>
      <p className={styles.soft}>{t('apps.lead')}</p>
      {error ? (
        <Failed title={t('apps.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={styles.list} aria-busy={!data}>
          {data?.length === 0 && <li className={styles.none}>{t('apps.none')}</li>}
          {data?.map((app) => (
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
