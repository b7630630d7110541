import { Box, NumberInput, SegmentedControl, Stack, Switch } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { type Field, FIELDS, TABS, type Tab } from './fields.ts'
import type { Settings } from './chosen.ts'
import rows from '../../../ui/Rows.module.css'
import shared from '../../../ui/shared.module.css'
import styles from './Profiles.module.css'

interface SettingsFormProps {
  settings: Settings
  tab: Tab
  onTab: (tab: Tab) => void
  /** One of a few is picked in a sheet of its own. */
  onPicking: (field: Field) => void
}

/** What is changed of the profiles for this print. */
export function SettingsForm({ settings, tab, onTab, onPicking }: SettingsFormProps) {
  const { t } = useTranslation('slicing')
  const { values, own, set, reset } = settings
  const isShown = (key: string) =>
    tab !== 'support' || key === 'enable_support' || values['enable_support'] === '1'
  const count = Object.keys(own).length
  return (
    <Stack component="section" aria-label={t('modify')} gap={12} mt={12}>
      <Box component="h3" fz="inherit">
        {t('modify')}
      </Box>
      {count > 0 && (
        <button type="button" className={styles.link} onClick={reset}>
          {t('resetAll', { count })}
        </button>
      )}
      <SegmentedControl
        fullWidth
        aria-label={t('modify')}
        value={tab}
        onChange={(value) => onTab(value)}
        data={TABS.map((value) => ({ value, label: t(`tabs.${value}`) }))}
      />
      <Stack gap={12} mt={12}>
        {FIELDS[tab]
          .filter(({ name }) => isShown(name))
          .map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              isChanged={field.name in own}
              onChange={(value) => set(field.name, value)}
              onPicking={() => onPicking(field)}
            />
          ))}
      </Stack>
    </Stack>
  )
}

interface FieldInputProps {
  field: Field
  value: string
  isChanged: boolean
  onChange: (value: string) => void
  onPicking: () => void
}

function FieldInput({ field, value, isChanged, onChange, onPicking }: FieldInputProps) {
  const { t } = useTranslation('slicing')
  const label = `${t(`field.${field.name}`)}${isChanged ? ` (${t('changed')})` : ''}`
  if (field.kind === 'switch')
    return (
      <Switch
        label={label}
        checked={value === '1'}
        onChange={(event) => onChange(event.currentTarget.checked ? '1' : '0')}
      />
    )
  if (field.kind === 'select') {
    const option = field.options.find((one) => one === value)
    return (
      <button type="button" className={rows.row} data-ends onClick={onPicking}>
        <span className={shared.soft}>{label}</span>
        <span>{option ? t(`option.${option}`) : ''}</span>
      </button>
    )
  }
  const isPercent = field.kind === 'percent'
  return (
    <NumberInput
      label={label}
      suffix={isPercent ? ' %' : field.suffix}
      min={0}
      value={value === '' ? '' : Number.parseFloat(value)}
      onChange={(given) => given !== '' && onChange(isPercent ? `${given}%` : String(given))}
    />
  )
}
