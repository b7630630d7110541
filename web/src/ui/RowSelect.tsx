import { Checkbox } from '@mantine/core'
import { useRef } from 'react'
import styles from './RowSelect.module.css'

interface RowSelectProps {
  /** Names what is chosen. */
  label: string
  selected: boolean
  /** `isRange`: shift was held, so all from the one before are meant. */
  onSelect: (isOn: boolean, isRange: boolean) => void
  /** Where it stands in its row. */
  className?: string | undefined
}

/** The box that chooses one row of a list; with shift, all from the one before. */
export function RowSelect({ label, selected, onSelect, className = '' }: RowSelectProps) {
  const range = useRef(false)
  return (
    <label className={`${styles.select} ${className}`}>
      <Checkbox
        aria-label={label}
        checked={selected}
        onClick={(event) => {
          range.current = event.shiftKey
        }}
        onChange={(event) => onSelect(event.currentTarget.checked, range.current)}
      />
    </label>
  )
}
