import { Button } from '@mantine/core'
import type { CodeBatch } from '@vigil/contract/shop/coupons.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { AdminPage } from './AdminPage.tsx'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'
import { batchesQuery } from './codes.api.ts'
import { CodesForm } from './CodesForm.tsx'

/** `/admin/codes/`: codes to give away, made in bulk and downloaded once; what became of them. */
export default function CodesScreen() {
  const { settings } = useBootstrap()
  const { t } = useTranslation('common')
  if (settings.IS_ENT) return <Screen />
  return (
    <Notice
      whole
      title={t('notFound.title')}
      actions={
        <Button component={Link} to={paths.admin}>
          {t('back')}
        </Button>
      }
    />
  )
}

function Screen() {
  const { t } = useTranslation('codes')
  const { t: admin } = useTranslation('admin')
  const { data, error, refetch } = useQuery(batchesQuery)
  return (
    <AdminPage title={admin('sections.codes')} isBusy={!data && !error}>
      {error && !data && (
        <Failed title={admin('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {data && <CodesForm brands={data.brands} />}
      {data && (
        <Panel title={t('made')}>
          <ul className={items.list}>
            {data.batches.length === 0 && <li className={items.none}>{t('none')}</li>}
            {data.batches.map((batch) => (
              <Batch
                key={`${batch.created_at} ${batch.brand} ${batch.offer} ${batch.description}`}
                batch={batch}
              />
            ))}
          </ul>
        </Panel>
      )}
    </AdminPage>
  )
}

function Batch({ batch }: { batch: CodeBatch }) {
  const { t } = useTranslation('codes')
  const { moment } = useTimeText()
  const { offer, hours, description, count, redeemed, brand } = batch
  const end = ms(batch.expires_at)
  return (
    <li className={items.item}>
      <div className={styles.words}>
        <span className={styles.name}>
          {offer === null ? t('ofHours', { count, hours }) : t('ofOffer', { count, offer })}
        </span>
        <span className={items.soft}>
          {[
            t('at', { moment: moment(ms(batch.created_at) ?? 0) }),
            brand,
            description,
            end === null ? t('forEver') : t('until', { moment: moment(end) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <span className={items.soft}>{t('redeemed', { redeemed, count })}</span>
    </li>
  )
}
