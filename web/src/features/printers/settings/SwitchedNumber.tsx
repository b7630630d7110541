import { NumberInput, type NumberInputProps, Switch } from '@mantine/core'
import { describedByRow, SettingRow } from '../../../ui/SettingRow.tsx'
import styles from './Settings.module.css'
import type { Field } from './useField.ts'

interface SwitchedNumberProps {
  field: Field<number>
  label: string
  hint?: string
  on: boolean
  /** What the field holds when it is off, and when it has just been turned on. */
  off: number
  initial: number
  numberLabel: string
  /** The number as it is typed, and what is typed as the number. */
  value: number
  read: (input: string | number, held: number) => number
  input: Pick<NumberInputProps, 'max' | 'step' | 'decimalScale' | 'suffix'>
}

/** A number that can be off: a switch, and while it is on the number below it. */
export function SwitchedNumber({
  field,
  label,
  hint,
  on,
  off,
  initial,
  numberLabel,
  value,
  read,
  input,
}: SwitchedNumberProps) {
  return (
    <>
      <SettingRow label={label} hint={hint} state={on ? undefined : field.state}>
        {(ids) => (
          <Switch
            {...ids}
            checked={on}
            onChange={(event) => field.set(event.currentTarget.checked ? initial : off, true)}
          />
        )}
      </SettingRow>
      {on && (
        <SettingRow nested label={numberLabel} state={field.state}>
          {(ids) => (
            <NumberInput
              {...ids}
              {...describedByRow}
              aria-invalid={field.state.phase === 'failed'}
              className={styles.number}
              value={value}
              min={0}
              {...input}
              onChange={(typed) => field.set(read(typed, field.value))}
              onBlur={field.flush}
            />
          )}
        </SettingRow>
      )}
    </>
  )
}
