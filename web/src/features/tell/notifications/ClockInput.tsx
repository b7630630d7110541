import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { describedByRow } from '../../../ui/SettingRow.tsx'

/** A time of day, `22:30`: saved when the field is left or Enter is pressed. */
export function ClockInput({
  value,
  onSave,
  ...ids
}: {
  value: string
  onSave: (value: string) => void
  'aria-labelledby': string
  'aria-describedby': string
}) {
  const [draft, setDraft] = useState<string | null>(null)
  function save() {
    if (draft && draft !== value) onSave(draft)
    setDraft(null)
  }
  return (
    <TextInput
      {...ids}
      {...describedByRow}
      type="time"
      w={150}
      value={draft ?? value}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && save()}
    />
  )
}
