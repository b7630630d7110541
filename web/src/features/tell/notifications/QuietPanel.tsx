import { Switch } from '@mantine/core'
import type { NotificationRules } from '@vigil/contract/tell/notification-rules.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { ClockInput } from './ClockInput.tsx'
import type { useChangeRules } from './rules.api.ts'

export type RulesPanel = { rules: NotificationRules } & ReturnType<typeof useChangeRules>

/** What most people sleep through. */
const NIGHT = { quiet_from: '22:00', quiet_until: '07:00' }

/** When nothing is sent but what cannot wait. */
export function QuietPanel({ rules, save, stateOf }: RulesPanel) {
  const { t } = useTranslation('notifications')
  const { quiet_from: from, quiet_until: until, quiet_spares_alerts: sparesAlerts } = rules
  return (
    <Panel title={t('rules.quiet.title')}>
      <SettingRow label={t('rules.quiet.switch')} hint={t('rules.quiet.hint')}>
        {(ids) => (
          <Switch
            {...ids}
            checked={from !== null}
            onChange={(event) =>
              save(event.currentTarget.checked ? NIGHT : { quiet_from: null, quiet_until: null })
            }
          />
        )}
      </SettingRow>
      {from !== null && until !== null && (
        <>
          <SettingRow label={t('rules.quiet.from')} state={stateOf('quiet_from')} nested>
            {(ids) => <ClockInput {...ids} value={from} onSave={(time) => save({ quiet_from: time })} />}
          </SettingRow>
          <SettingRow label={t('rules.quiet.until')} state={stateOf('quiet_until')} nested>
            {(ids) => <ClockInput {...ids} value={until} onSave={(time) => save({ quiet_until: time })} />}
          </SettingRow>
          <SettingRow
            label={t('rules.quiet.spares')}
            hint={t(sparesAlerts ? 'rules.quiet.sparesHint' : 'rules.quiet.holdsHint')}
            state={stateOf('quiet_spares_alerts')}
            nested
          >
            {(ids) => (
              <Switch
                {...ids}
                checked={sparesAlerts}
                onChange={(event) => save({ quiet_spares_alerts: event.currentTarget.checked })}
              />
            )}
          </SettingRow>
        </>
      )}
    </Panel>
  )
}
