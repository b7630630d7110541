import type { System } from '@vigil/contract/people/operations.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { withUnit } from '../../../lib/format.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { AdminPage } from './AdminPage.tsx'
import { useSystem } from './admin.api.ts'
import { BackupPanel } from './BackupPanel.tsx'
import { DiskPanel } from './DiskPanel.tsx'

/** `/admin/system/`: how the detector does, what the disk holds, and the last backup. */
export default function SystemScreen() {
  const { t } = useTranslation('admin')
  const { data, error, refetch } = useSystem()
  return (
    <AdminPage title={t('sections.system')} isBusy={!data && !error}>
      {error && !data && (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {data && (
        <div className={shared.halves}>
          <div className={shared.half}>
            <DetectorPanel detector={data.detector} />
            <BackupPanel backup={data.backup} />
          </div>
          <DiskPanel disk={data.disk} />
        </div>
      )}
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
