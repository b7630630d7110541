import { NumberInput, type NumberInputProps, Switch } from '@mantine/core'
import { useState } from 'react'
import { describedByRow, SettingRow } from '../../../ui/SettingRow.tsx'
import type { Field } from '../../../printer/useField.ts'

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
  const { typed, type, leave, forget } = useTyped({ field, off, read })
  const isOn = on || typed !== null
  return (
    <>
      <SettingRow label={label} hint={hint} state={isOn ? undefined : field.state}>
        {(ids) => (
          <Switch
            {...ids}
            checked={isOn}
            onChange={(event) => {
              forget()
              field.set(event.currentTarget.checked ? initial : off, true)
            }}
          />
        )}
      </SettingRow>
      {isOn && (
        <SettingRow nested label={numberLabel} state={field.state}>
          {(ids) => (
            <NumberInput
              {...ids}
              {...describedByRow}
              aria-invalid={field.state.phase === 'failed'}
              w={130}
              value={typed ?? value}
              min={0}
              allowNegative={false}
              {...input}
              onChange={type}
              onBlur={leave}
            />
          )}
        </SettingRow>
      )}
    </>
  )
}

/** What is typed, until the field is left: the 0 on the way to 0.5 neither switches it off nor is it saved. */
function useTyped({ field, off, read }: Pick<SwitchedNumberProps, 'field' | 'off' | 'read'>) {
  const [typed, setTyped] = useState<string | number | null>(null)
  return {
    typed,
    type(input: string | number) {
      setTyped(input)
      const next = read(input, field.value)
      if (input !== '' && next !== off) field.set(next)
    },
    leave() {
      if (typed !== null && typed !== '' && read(typed, field.value) === off) field.set(off, true)
      else field.flush()
      setTyped(null)
    },
    forget: () => setTyped(null),
  }
}
