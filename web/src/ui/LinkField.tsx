import { CopyButton } from './CopyButton.tsx'
import styles from './LinkField.module.css'

interface LinkFieldProps {
  readonly address: string
  readonly label: string
  /** What the button is called that copies it. */
  readonly copy: string
}

/** An address to be handed on: selected when it is touched, copied by a button. */
export function LinkField({ address, label, copy }: LinkFieldProps) {
  return (
    <div className={styles.field}>
      <input readOnly value={address} aria-label={label} onFocus={(event) => event.currentTarget.select()} />
      <CopyButton text={address} label={copy} />
    </div>
  )
}
