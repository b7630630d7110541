import { NumberInput, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import { describedByRow, SettingRow } from '../../../ui/SettingRow.tsx'
import styles from './Nozzle.module.css'
import type { Ext } from './first-layer.api.ts'
import { type NumberField, useExtField } from './useExtField.ts'

const FIELDS: readonly {
  field: NumberField
  text: 'zhop' | 'retract' | 'speed' | 'cooldown'
  least: number
  most: number
  step: number
  unit: string
}[] = [
  { field: 'first_layer_scan_zhop', text: 'zhop', least: 0, most: 50, step: 0.1, unit: ' mm' },
  { field: 'first_layer_scan_retract', text: 'retract', least: 0, most: 50, step: 0.5, unit: ' mm' },
  { field: 'first_layer_scan_retract_speed', text: 'speed', least: 1, most: 100, step: 1, unit: ' mm/s' },
  { field: 'first_layer_scan_cooldown_temp', text: 'cooldown', least: 0, most: 300, step: 5, unit: ' °C' },
]

/** How the printer moves over its finished first layer for the camera to see all of it. */
export function ScanSettings({ ext }: { ext: Ext }) {
  const { t } = useTranslation('first-layer')
  const optIn = useExtField(ext, 'first_layer_scan_opted_in')
  return (
    <Panel title={t('scan')}>
      <p className={styles.intro}>{t('scanHint')}</p>
      <SettingRow label={t('optIn')} hint={t('optInHint')} state={optIn.state}>
        {(ids) => (
          <Switch
            {...ids}
            checked={optIn.value}
            onChange={(event) => optIn.set(event.currentTarget.checked)}
          />
        )}
      </SettingRow>
      {optIn.value && FIELDS.map((one) => <NumberRow key={one.field} ext={ext} {...one} />)}
    </Panel>
  )
}

function NumberRow({ ext, field, text, least, most, step, unit }: (typeof FIELDS)[number] & { ext: Ext }) {
  const { t } = useTranslation('first-layer')
  const { value, state, set, flush } = useExtField(ext, field)
  return (
    <SettingRow label={t(text)} hint={t(`${text}Hint`)} state={state}>
      {(ids) => (
        <NumberInput
          {...ids}
          {...describedByRow}
          className={styles.number}
          aria-invalid={state.phase === 'failed'}
          value={value}
          min={least}
          max={most}
          step={step}
          decimalScale={2}
          suffix={unit}
          clampBehavior="strict"
          onChange={(next) => {
            if (typeof next === 'number' && next >= least && next <= most) set(next)
          }}
          onBlur={flush}
        />
      )}
    </SettingRow>
  )
}
