import { SegmentedControl } from '@mantine/core'
import { DIGESTS } from '@vigil/contract/tell/notification-rules.ts'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { ClockInput } from './ClockInput.tsx'
import type { RulesPanel } from './QuietPanel.tsx'

/** Whether news is sent one by one, or together. */
export function DigestPanel({ rules, save, stateOf }: RulesPanel) {
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
