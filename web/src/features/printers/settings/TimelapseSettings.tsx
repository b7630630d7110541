import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from 'react-i18next'
import { HelpWidget } from '../../../ui/HelpWidget.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { DEFAULTS, secondsOf, TIMELAPSE_OFF } from './rules.ts'
import { SwitchedNumber } from './SwitchedNumber.tsx'
import { useField } from '../../../printer/useField.ts'

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
  const field = useField(printer, key, { typed: true })
  return (
    <SwitchedNumber
      field={field}
      label={t(`timelapseOn.${text}`)}
      on={field.value !== TIMELAPSE_OFF}
      off={TIMELAPSE_OFF}
      initial={initial}
      numberLabel={t('timelapseMin')}
      value={field.value / 60}
      read={secondsOf}
      input={{ step: 5, decimalScale: 1, suffix: t('minutes') }}
    />
  )
}
