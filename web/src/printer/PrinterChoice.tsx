import { Checkbox, NativeSelect } from '@mantine/core'
import { useTranslation } from '../lib/translation.ts'
import styles from '../ui/Form.module.css'

interface PrinterChoiceProps {
  /** What is chosen here, and what all of them are called. */
  label: string
  all: string
  printers: readonly { readonly id: number; readonly name: string }[]
  /** Null: all. */
  value: readonly number[] | null
  choose: (value: readonly number[] | null) => void
}

/** All printers of an account, or some. */
export function PrinterChoice({ label, all, printers, value, choose }: PrinterChoiceProps) {
  const { t } = useTranslation('printers')
  return (
    <>
      <NativeSelect
        label={label}
        value={value === null ? 'all' : 'some'}
        data={[
          { value: 'all', label: all },
          { value: 'some', label: t('choice.some'), disabled: printers.length === 0 },
        ]}
        onChange={(event) => choose(event.currentTarget.value === 'all' ? null : [])}
      />
      {value !== null && (
        <Checkbox.Group
          className={styles.wide}
          label={t('choice.which')}
          value={value.map(String)}
          onChange={(ids) => choose(ids.map(Number))}
        >
          <div className={styles.checks}>
            {printers.map(({ id, name }) => (
              <Checkbox key={id} value={`${id}`} label={name} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </>
  )
}
