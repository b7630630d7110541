import { TextInput } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import { describedByRow, SettingRow } from '../../../ui/SettingRow.tsx'
import styles from './Settings.module.css'
import { useField } from '../../../printer/useField.ts'

/** The name is required and at most 200 characters (docs/rules/pages.md 3). */
const LONGEST_NAME = 200

export function GeneralSettings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const name = useField(printer, 'name', { typed: true })
  return (
    <Panel title={t('general')}>
      <SettingRow label={t('name')} hint={t('nameHint')} state={name.state}>
        {(ids) => (
          <TextInput
            {...ids}
            {...describedByRow}
            className={styles.name}
            value={name.value}
            maxLength={LONGEST_NAME}
            error={name.state.phase === 'failed'}
            aria-invalid={name.state.phase === 'failed'}
            onChange={(event) => name.set(event.currentTarget.value)}
            onBlur={name.flush}
          />
        )}
      </SettingRow>
    </Panel>
  )
}
