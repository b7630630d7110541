import { NativeSelect, NumberInput, SegmentedControl, Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import { type Field, FIELDS, TABS, type Tab, type Values } from './fields.ts'
import styles from './Slicing.module.css'

interface SettingsFormProps {
  /** What holds: one's own over the profile's. */
  values: Values
  changed: Values
  onChange: (key: string, value: string) => void
  onReset: () => void
}

/** What is changed of the profiles for this print. */
export function SettingsForm({ values, changed, onChange, onReset }: SettingsFormProps) {
  const { t } = useTranslation('slicing')
  const [tab, setTab] = useState<Tab>('quality')
  const isShown = (key: string) =>
    tab !== 'support' || key === 'enable_support' || values['enable_support'] === '1'
  const count = Object.keys(changed).length
  return (
    <Panel
      title={t('modify')}
      aside={
        count > 0 && (
          <button type="button" className={styles.link} onClick={onReset}>
            {t('resetAll', { count })}
          </button>
        )
      }
    >
      <SegmentedControl
        fullWidth
        aria-label={t('modify')}
        value={tab}
        onChange={(value) => setTab(value)}
        data={TABS.map((value) => ({ value, label: t(`tabs.${value}`) }))}
      />
      <div className={styles.fields}>
        {FIELDS[tab]
          .filter(({ name }) => isShown(name))
          .map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={values[field.name] ?? ''}
              isChanged={field.name in changed}
              onChange={(value) => onChange(field.name, value)}
            />
          ))}
      </div>
    </Panel>
  )
}

interface FieldInputProps {
  field: Field
  value: string
  isChanged: boolean
  onChange: (value: string) => void
}

function FieldInput({ field, value, isChanged, onChange }: FieldInputProps) {
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
  if (field.kind === 'select')
    return (
      <NativeSelect
        label={label}
        value={value}
        data={[
          ...(field.options.some((option) => option === value) ? [] : [{ value, label: '' }]),
          ...field.options.map((option) => ({ value: option, label: t(`option.${option}`) })),
        ]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
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
