import { SegmentedControl, Slider, Switch } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from 'react-i18next'
import { HelpWidget } from '../../../ui/HelpWidget.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { sensitivityLevel } from '../../../printer/sensitivity.ts'
import { LearntSetting } from './LearntSetting.tsx'
import styles from './Settings.module.css'
import { DEBOUNCE_MS, useField } from '../../../printer/useField.ts'

export function DetectionSettings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const enabled = useField(printer, 'watching_enabled')
  const action = useField(printer, 'action_on_failure')
  const sensitivity = useField(printer, 'detective_sensitivity', { delayMs: DEBOUNCE_MS })
  const level = sensitivityLevel(sensitivity.value)
  const off = !enabled.value

  return (
    <Panel title={t('detection')}>
      <SettingRow
        label={
          <>
            {t('watch')} <HelpWidget about={t('watch')}>{t('watchHelp')}</HelpWidget>
          </>
        }
        hint={t('watchHint', { seconds: printer.watch.checked_every })}
        state={enabled.state}
      >
        {(ids) => (
          <Switch
            {...ids}
            checked={enabled.value}
            onChange={(event) => enabled.set(event.currentTarget.checked)}
          />
        )}
      </SettingRow>
      <SettingRow
        label={t('action')}
        hint={off ? t('offHint') : t(`actionHint.${action.value}`)}
        state={action.state}
        wide
      >
        {(ids) => (
          <SegmentedControl
            {...ids}
            fullWidth
            disabled={off}
            value={action.value}
            onChange={(value) => action.set(value)}
            data={[
              { value: 'NONE', label: t('actionChoice.NONE') },
              { value: 'PAUSE', label: t('actionChoice.PAUSE') },
            ]}
          />
        )}
      </SettingRow>
      <SettingRow
        label={
          <>
            {t('sensitivity', { level: t(`level.${level}`) })}{' '}
            <HelpWidget about={t('sensitivityName')}>{t('sensitivityHelp')}</HelpWidget>
          </>
        }
        hint={off ? t('offHint') : t(`levelHint.${level}`)}
        state={sensitivity.state}
        wide
      >
        {(ids) => (
          <div className={styles.slider}>
            <Slider
              thumbProps={ids}
              thumbValueText={`${t(`level.${level}`)} (${sensitivity.value.toFixed(2)})`}
              disabled={off}
              min={0.8}
              max={1.2}
              step={0.05}
              label={null}
              value={sensitivity.value}
              onChange={(value) => sensitivity.set(Number(value.toFixed(2)))}
              marks={[
                { value: 0.8, label: t('level.low') },
                { value: 1, label: t('level.medium') },
                { value: 1.2, label: t('level.high') },
              ]}
            />
          </div>
        )}
      </SettingRow>
      <LearntSetting printer={printer} />
    </Panel>
  )
}
