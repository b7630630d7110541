import { Button, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { type Macro, MACRO_VALUE } from '@vigil/contract/printers/macros.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Macros.module.css'

interface ParamsFormProps {
  macro: Macro
  isRunning: boolean
  onRun: (params: Record<string, string>) => void
}

/** What a macro asks for: a field for each parameter, empty for what the macro takes by itself. */
export function ParamsForm({ macro, isRunning, onRun }: ParamsFormProps) {
  const { t } = useTranslation('macros')
  const [typed, setTyped] = useState<Record<string, string>>({})
  const said = Object.entries(typed).filter(([, value]) => value.trim() !== '')
  const isWrong = said.some(([, value]) => !MACRO_VALUE.test(value))
  return (
    <form
      className={styles.params}
      aria-label={macro.name}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong) onRun(Object.fromEntries(said.map(([name, value]) => [name, value.trim()])))
      }}
    >
      {macro.description && <p className={shared.small}>{macro.description}</p>}
      <div className={styles.fields}>
        {macro.params.map(({ name, default: first }) => (
          <TextInput
            key={name}
            label={name}
            maxLength={200}
            placeholder={first ?? t('byItself')}
            value={typed[name] ?? ''}
            error={MACRO_VALUE.test(typed[name] ?? '') ? undefined : t('refused')}
            onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, [name]: value }))}
          />
        ))}
      </div>
      <div className={shared.buttons}>
        <Button
          type="submit"
          variant="filled"
          disabled={isWrong}
          loading={isRunning}
          leftSection={<IconPlayerPlay size={16} stroke={1.75} />}
        >
          {t('run', { name: macro.name })}
        </Button>
      </div>
    </form>
  )
}
