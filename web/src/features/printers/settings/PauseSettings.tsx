import { Switch } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { DEFAULTS, movement } from './rules.ts'
import { SwitchedNumber } from './SwitchedNumber.tsx'
import { useField } from '../../../printer/useField.ts'

/** What happens at the printer when a print is paused from here. */
export function PauseSettings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const tools = useField(printer, 'tools_off_on_pause')
  const bed = useField(printer, 'bed_off_on_pause')
  return (
    <Panel title={t('pause')}>
      <SettingRow label={t('toolsOff')} hint={t('toolsOffHint')} state={tools.state}>
        {(ids) => (
          <Switch
            {...ids}
            checked={tools.value}
            onChange={(event) => tools.set(event.currentTarget.checked)}
          />
        )}
      </SettingRow>
      <SettingRow label={t('bedOff')} hint={t('bedOffHint')} state={bed.state}>
        {(ids) => (
          <Switch {...ids} checked={bed.value} onChange={(event) => bed.set(event.currentTarget.checked)} />
        )}
      </SettingRow>
      <Movement printer={printer} field="retract_on_pause" text="retract" initial={DEFAULTS.retract} />
      <Movement printer={printer} field="lift_z_on_pause" text="lift" initial={DEFAULTS.lift} />
    </Panel>
  )
}

interface MovementProps {
  printer: Printer
  field: 'retract_on_pause' | 'lift_z_on_pause'
  text: 'retract' | 'lift'
  initial: number
}

function Movement({ printer, field: key, text, initial }: MovementProps) {
  const { t } = useTranslation('settings')
  const field = useField(printer, key, { typed: true })
  return (
    <SwitchedNumber
      field={field}
      label={t(text)}
      hint={t(`${text}Hint`)}
      on={field.value > 0}
      off={0}
      initial={initial}
      numberLabel={t(`${text}By`)}
      value={field.value}
      read={movement}
      input={{ max: 1000, step: 0.5, decimalScale: 2, suffix: ' mm' }}
    />
  )
}
