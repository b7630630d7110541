import { Button } from '@mantine/core'
import type { System } from '@vigil/contract/people/operations.ts'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { ms, withUnit } from '../../../lib/format.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useTimeText } from '../../../ui/time.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { AdminPage } from './AdminPage.tsx'
import styles from './Admin.module.css'
import { useCountDisk, useSystem } from './admin.api.ts'

/** Folders of stored files that have a name; any other is named as it is. */
const KINDS = [
  'tsd-pics/raw',
  'tsd-pics/tagged',
  'tsd-pics/snapshots',
  'tsd-pics/ff_printshots',
  'tsd-pics/first_layer',
  'tsd-timelapses/private',
  'tsd-timelapses/public',
  'tsd-timelapses/first_layer',
  'tsd-timelapses/uploads',
  'tsd-gcodes',
] as const

/** `/admin/system/`: how the detector does, and what the disk holds. */
export default function SystemScreen() {
  const { t } = useTranslation('admin')
  const { data, error, refetch } = useSystem()
  return (
    <AdminPage title={t('sections.system')} isBusy={!data && !error}>
      {error && !data && (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {data && <DetectorPanel detector={data.detector} />}
      {data && <DiskPanel disk={data.disk} />}
    </AdminPage>
  )
}

function DetectorPanel({ detector }: { detector: System['detector'] }) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation('common')
  const { state, error, model, queued, pictures_per_second: rate } = detector
  const seconds = (value: number) => withUnit(String(Number(value.toFixed(2))), common('units.s'))
  const [delay, slow] = [detector.delay_seconds, detector.slow_delay_seconds]
  const delayText =
    delay === null
      ? t('system.none')
      : slow === null
        ? t('system.delayOnly', { delay: seconds(delay) })
        : t('system.delayOf', { delay: seconds(delay), slow: seconds(slow) })
  return (
    <Panel title={t('system.detector')} tone={state === 'down' ? 'bad' : 'plain'}>
      <Facts
        rows={[
          [t('system.state'), t(`system.states.${state}`)],
          [t('system.model'), model],
          [t('system.queued'), queued],
          [t('system.rate'), Number(rate.toFixed(2))],
          [t('system.delay'), delayText],
        ]}
      />
      {error !== null && <p className={shared.bad}>{error}</p>}
    </Panel>
  )
}

function DiskPanel({ disk }: { disk: System['disk'] }) {
  const { t } = useTranslation('admin')
  const bytes = useBytes()
  const { moment } = useTimeText()
  const count = useCountDisk()
  const at = ms(disk.counted_at)
  function nameOf(kind: string): string {
    const known = KINDS.find((one) => one === kind)
    return known ? t(`system.kinds.${known}`) : kind
  }
  return (
    <Panel title={t('system.disk')} tone={disk.is_full ? 'bad' : 'plain'}>
      {disk.is_full && <p className={shared.bad}>{t('system.full')}</p>}
      <Facts
        rows={[
          [t('system.free'), disk.free_bytes === null ? null : bytes(disk.free_bytes)],
          [t('system.database'), bytes(disk.database_bytes)],
          ...disk.kinds.map(
            (one) =>
              [nameOf(one.kind), `${bytes(one.bytes)} · ${t('system.files', { count: one.files })}`] as const,
          ),
        ]}
      />
      <div className={styles.item}>
        <span className={styles.soft}>
          {disk.is_counting
            ? t('system.counting')
            : at === null
              ? t('system.never')
              : t('system.countedAt', { moment: moment(at) })}
        </span>
        <Button loading={count.isPending} disabled={disk.is_counting} onClick={() => count.mutate()}>
          {t('system.count')}
        </Button>
      </div>
    </Panel>
  )
}
