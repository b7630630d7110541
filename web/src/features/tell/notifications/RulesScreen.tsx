import { Select, SegmentedControl } from '@mantine/core'
import { type NotificationRules, DIGESTS } from '@vigil/contract/tell/notification-rules.ts'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { ClockInput } from './ClockInput.tsx'
import { EscalationPanel } from './EscalationPanel.tsx'
import styles from './Notifications.module.css'
import { QuietPanel, type RulesPanel } from './QuietPanel.tsx'
import { ownZone, useChangeRules, useRules } from './rules.api.ts'

/** `/user_preferences/quiet_hours/`: when somebody is told, and who is told next. */
export default function RulesScreen() {
  const { t } = useTranslation('notifications')
  useTitle(t('rules.title'))
  const { data, error, refetch } = useRules()
  if (error)
    return <NotLoaded title={t('notLoaded')} problem={problemOf(error)} onRetry={() => void refetch()} />
  return (
    <div className={styles.page}>
      <PageHeader title={t('rules.title')} back={{ to: paths.notifications, label: t('title') }} />
      {data && <Rules rules={data} />}
    </div>
  )
}

function Rules({ rules }: { rules: NotificationRules }) {
  const { t } = useTranslation('notifications')
  const change = useChangeRules(rules)
  const zone = rules.time_zone ?? ownZone()
  const zones = [...new Set([zone, ...Intl.supportedValuesOf('timeZone')])]
  return (
    <>
      <QuietPanel rules={rules} {...change} />
      <DigestPanel rules={rules} {...change} />
      <EscalationPanel rules={rules} {...change} />
      <Panel>
        <SettingRow
          label={t('rules.zone')}
          hint={t('rules.zoneHint')}
          state={change.stateOf('time_zone')}
          wide
        >
          {(ids) => (
            <Select
              {...ids}
              className={styles.field}
              searchable
              allowDeselect={false}
              value={zone}
              data={zones}
              nothingFoundMessage={t('rules.noZone')}
              onChange={(value) => value && change.save({ time_zone: value })}
            />
          )}
        </SettingRow>
      </Panel>
    </>
  )
}

/** Whether news is sent one by one, or together. */
function DigestPanel({ rules, save, stateOf }: RulesPanel) {
  const { t } = useTranslation('notifications')
  return (
    <Panel title={t('rules.digest.title')}>
      <SettingRow
        label={t('rules.digest.label')}
        hint={t('rules.digest.hint')}
        state={stateOf('digest')}
        wide
      >
        {(ids) => (
          <SegmentedControl
            {...ids}
            fullWidth
            value={rules.digest}
            onChange={(digest) => save({ digest })}
            data={DIGESTS.map((value) => ({ value, label: t(`rules.digest.${value}`) }))}
          />
        )}
      </SettingRow>
      {rules.digest === 'daily' && (
        <SettingRow label={t('rules.digest.at')} state={stateOf('digest_at')} nested>
          {(ids) => (
            <ClockInput {...ids} value={rules.digest_at} onSave={(time) => save({ digest_at: time })} />
          )}
        </SettingRow>
      )}
    </Panel>
  )
}
