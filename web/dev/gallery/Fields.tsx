import {
  Checkbox,
  NumberInput,
  PasswordInput,
  PinInput,
  SegmentedControl,
  Select,
  Slider,
  Switch,
  TextInput,
} from '@mantine/core'
import { useTranslation } from '../../src/lib/translation.ts'
import { SettingRow } from '../../src/ui/SettingRow.tsx'
import styles from './Gallery.module.css'
import { Part } from './Part.tsx'

const PHASES = ['idle', 'saving', 'saved', 'failed'] as const

/** What takes a value. */
export function Fields() {
  const { t } = useTranslation('settings')
  const levels = (['low', 'medium', 'high'] as const).map((level) => ({
    value: level,
    label: t(`level.${level}`),
  }))
  return (
    <>
      <Part name="TextInput, PasswordInput, NumberInput, Select, PinInput">
        <TextInput
          className={styles.wide}
          label={t('name')}
          description={t('nameHint')}
          placeholder="Voron"
        />
        <TextInput className={styles.wide} label={t('name')} defaultValue="Voron 2.4" />
        <TextInput className={styles.wide} label={t('name')} defaultValue="Voron" error={t('cannotUpdate')} />
        <TextInput className={styles.wide} label={t('name')} defaultValue="Voron 2.4" disabled />
        <PasswordInput className={styles.wide} label={t('name')} defaultValue="secret" />
        <PasswordInput className={styles.wide} label={t('name')} error={t('cannotUpdate')} />
        <NumberInput
          className={styles.wide}
          label={t('retractBy')}
          defaultValue={6.5}
          step={0.5}
          suffix=" mm"
        />
        <NumberInput
          className={styles.wide}
          label={t('retractBy')}
          defaultValue={6.5}
          disabled
          suffix=" mm"
        />
        <Select className={styles.wide} label={t('sensitivityName')} data={levels} defaultValue="medium" />
        <Select className={styles.wide} label={t('sensitivityName')} data={levels} disabled />
        <PinInput length={6} aria-label={t('name')} />
        <PinInput length={6} aria-label={t('name')} error defaultValue="123" />
      </Part>
      <Part name="Switch, Checkbox, SegmentedControl, Slider">
        <Switch label={t('toolsOff')} description={t('toolsOffHint')} defaultChecked />
        <Switch label={t('bedOff')} />
        <Switch label={t('toolsOff')} defaultChecked disabled />
        <Switch label={t('bedOff')} disabled />
        <Checkbox label={t('toolsOff')} defaultChecked />
        <Checkbox label={t('bedOff')} />
        <Checkbox label={t('lift')} indeterminate />
        <Checkbox label={t('lift')} disabled />
        <SegmentedControl aria-label={t('sensitivityName')} data={levels} defaultValue="medium" />
        <SegmentedControl aria-label={`${t('sensitivityName')} 2`} data={levels} disabled />
        <Slider className={styles.wide} thumbLabel={t('sensitivityName')} defaultValue={40} />
        <Slider
          className={styles.wide}
          thumbLabel={t('sensitivityName')}
          defaultValue={50}
          step={50}
          marks={[0, 50, 100].map((value, at) => ({ value, label: levels[at]!.label }))}
        />
        <Slider className={styles.wide} thumbLabel={t('sensitivityName')} defaultValue={70} disabled />
      </Part>
      <Part name="SettingRow, SaveMark">
        <div className={styles.row}>
          {PHASES.map((phase) => (
            <SettingRow
              key={phase}
              label={t('watch')}
              hint={t('watchHint')}
              state={{ phase, error: phase === 'failed' ? t('cannotUpdate') : null }}
            >
              {(ids) => <Switch {...ids} defaultChecked />}
            </SettingRow>
          ))}
          <SettingRow label={t('retractBy')} nested>
            {(ids) => <NumberInput {...ids} defaultValue={6.5} suffix=" mm" />}
          </SettingRow>
          <SettingRow label={t('sensitivityName')} hint={t('levelHint.medium')} wide>
            {() => <Slider thumbLabel={t('sensitivityName')} defaultValue={50} />}
          </SettingRow>
        </div>
      </Part>
    </>
  )
}
