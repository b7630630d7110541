import { NumberInput, Switch } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers.ts'
import { useTranslation } from 'react-i18next'
import { HelpWidget } from '../../../ui/HelpWidget.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { describedByRow, SettingRow } from '../../../ui/SettingRow.tsx'
import { DEFAULTS, secondsOf, TIMELAPSE_OFF } from './rules.ts'
import styles from './Settings.module.css'
import { DEBOUNCE_MS, useField } from './useField.ts'

/** From how long a print on a time-lapse is made. */
export function TimelapseSettings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  return (
    <Panel
      title={t('timelapse')}
      aside={<HelpWidget about={t('timelapse')}>{t('timelapseHelp')}</HelpWidget>}
    >
      <Timelapse
        printer={printer}
        field="min_timelapse_secs_on_finish"
        text="finish"
        initial={DEFAULTS.finishSecs}
      />
      <Timelapse
        printer={printer}
        field="min_timelapse_secs_on_cancel"
        text="cancel"
        initial={DEFAULTS.cancelSecs}
      />
    </Panel>
  )
}

interface TimelapseProps {
  printer: Printer
  field: 'min_timelapse_secs_on_finish' | 'min_timelapse_secs_on_cancel'
  text: 'finish' | 'cancel'
  initial: number
}

function Timelapse({ printer, field: key, text, initial }: TimelapseProps) {
  const { t } = useTranslation('settings')
  const field = useField(printer, key, DEBOUNCE_MS)
  const on = field.value !== TIMELAPSE_OFF
  return (
    <>
      <SettingRow label={t(`timelapseOn.${text}`)} state={on ? undefined : field.state}>
        {(ids) => (
          <Switch
            {...ids}
            checked={on}
            onChange={(event) => {
              field.set(event.currentTarget.checked ? initial : TIMELAPSE_OFF, true)
            }}
          />
        )}
      </SettingRow>
      {on && (
        <SettingRow nested label={t('timelapseMin')} state={field.state}>
          {(ids) => (
            <NumberInput
              {...ids}
              {...describedByRow}
              aria-invalid={field.state.phase === 'failed'}
              className={styles.number}
              value={field.value / 60}
              min={0}
              step={5}
              decimalScale={1}
              suffix={t('minutes')}
              onChange={(input) => field.set(secondsOf(input, field.value))}
              onBlur={field.flush}
            />
          )}
        </SettingRow>
      )}
    </>
  )
}
