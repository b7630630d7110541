import { Checkbox, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './Household.module.css'

interface PrinterChoiceProps {
  printers: readonly { readonly id: number; readonly name: string }[]
  /** Null: all. */
  value: readonly number[] | null
  choose: (value: readonly number[] | null) => void
}

/** All printers of an account, or some. */
export function PrinterChoice({ printers, value, choose }: PrinterChoiceProps) {
  const { t } = useTranslation('household')
  return (
    <>
      <NativeSelect
        label={t('form.printers')}
        value={value === null ? 'all' : 'some'}
        data={[
          { value: 'all', label: t('form.all') },
          { value: 'some', label: t('form.some'), disabled: printers.length === 0 },
        ]}
        onChange={(event) => choose(event.currentTarget.value === 'all' ? null : [])}
      />
      {value !== null && (
        <Checkbox.Group
          className={styles.wide}
          label={t('form.which')}
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
